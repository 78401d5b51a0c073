import { MAX_FLIPBOOK_PHOTO_SCALE } from '#shared/album/flipbook';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import { colors, page, styles } from './page-style.ts';
import type { PdfCanvas } from './pdf-canvas.ts';

export const PRINT_DPI = 300;
/** In points: the page's margin, and the border of the print on it. */
const MARGIN = 34;
const BORDER = 9;

export type PhotoSize = { width: number; height: number };

const MAX_SIZE = { width: page.width - 2 * (MARGIN + BORDER), height: page.height - 2 * (MARGIN + BORDER) };

const PLACEHOLDER_SIZE: PhotoSize = { width: 4000, height: 3000 };

/** The width in pixels at which the photo is sharp in print. */
export function printWidth(photo: PhotoSize): number {
  return Math.round((fit(photo).width / 72) * PRINT_DPI);
}

export async function drawPhotoPage(
  canvas: PdfCanvas,
  photo: { size: PhotoSize; jpeg: Buffer | null },
): Promise<void> {
  canvas.addPage();
  const { width, height } = fit(photo.jpeg ? photo.size : PLACEHOLDER_SIZE);
  const left = (page.width - width) / 2;
  const top = (page.height - height) / 2;
  drawPrint(canvas, left, top, width, height);
  if (photo.jpeg) {
    canvas.document.image(photo.jpeg, left, top, { width, height });
  } else {
    canvas.document.rect(left, top, width, height).fill(colors.well);
    const lines = await canvas.layOutText(flipbookTexts.missingPhoto, styles.missing, MAX_SIZE.width);
    canvas.drawCentered(lines, page.width / 2, page.height / 2 - styles.missing.leading / 2);
  }
}

function fit({ width, height }: PhotoSize): PhotoSize {
  const scale = Math.min(MAX_SIZE.width / width, MAX_SIZE.height / height, MAX_FLIPBOOK_PHOTO_SCALE);
  return { width: width * scale, height: height * scale };
}

function drawPrint({ document }: PdfCanvas, left: number, top: number, width: number, height: number): void {
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
