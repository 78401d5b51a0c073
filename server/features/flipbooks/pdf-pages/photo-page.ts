import { FLIPBOOK_MOST_ENLARGED, flipbookTexts } from '#shared/flipbook';
import { colors, page, styles } from './look.ts';
import type { Sheets } from './sheet.ts';

export const PRINT_DPI = 300;
/** Between the page's edge and the print, and the print's own border: points. */
const MARGIN = 34;
const BORDER = 9;

export type PhotoSize = { width: number; height: number };

/** The room for a photo on its page, in points. */
const ROOM = { width: page.width - 2 * (MARGIN + BORDER), height: page.height - 2 * (MARGIN + BORDER) };

/** The shape of what stands in for a photo; its words fit in. */
const MISSING: PhotoSize = { width: 4000, height: 3000 };

/** How wide a photo has to be, in pixels, to be sharp in print. It may have fewer. */
export function printWidthOf(photo: PhotoSize): number {
  return Math.round((fit(photo).width / 72) * PRINT_DPI);
}

/** The photo whole, as a print laid on the page. */
export async function drawPhotoPage(
  sheets: Sheets,
  photo: { size: PhotoSize; jpeg: Buffer | null },
): Promise<void> {
  sheets.turn();
  const { width, height } = fit(photo.jpeg ? photo.size : MISSING);
  const left = (page.width - width) / 2;
  const top = (page.height - height) / 2;
  drawPrint(sheets, left, top, width, height);
  if (photo.jpeg) {
    sheets.document.image(photo.jpeg, left, top, { width, height });
  } else {
    sheets.document.rect(left, top, width, height).fill(colors.well);
    const words = await sheets.setText(flipbookTexts.missingPhoto, styles.missing, ROOM.width);
    sheets.drawCentred(words, page.width / 2, page.height / 2 - styles.missing.leading / 2);
  }
}

/** As large as there is room, in its own shape. */
function fit({ width, height }: PhotoSize): PhotoSize {
  const scale = Math.min(ROOM.width / width, ROOM.height / height, FLIPBOOK_MOST_ENLARGED);
  return { width: width * scale, height: height * scale };
}

/** White paper around the photo, with a soft shadow under it. */
function drawPrint({ document }: Sheets, left: number, top: number, width: number, height: number): void {
  for (const spread of [5, 3.5, 2, 1]) {
    document
      .roundedRect(
        left - BORDER - spread,
        top - BORDER - spread + 2,
        width + 2 * (BORDER + spread),
        height + 2 * (BORDER + spread),
        2 + spread,
      )
      .fillOpacity(0.035)
      .fill(colors.ink);
  }
  document
    .fillOpacity(1)
    .roundedRect(left - BORDER, top - BORDER, width + 2 * BORDER, height + 2 * BORDER, 2)
    .fillAndStroke(colors.print, colors.hairline);
}
