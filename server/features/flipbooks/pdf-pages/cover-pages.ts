import { flipbookTexts } from '#shared/flipbook';
import type { CalendarDate } from '#shared/calendar-date';
import { colors, page, styles } from './look.ts';
import { PRINT_DPI, type PhotoSize } from './photo-page.ts';
import type { Sheets } from './sheet.ts';

const MIDDLE = page.width / 2;
const WIDTH = 400;
const WINDOW = { side: 264, top: 96 };

export type CoverPhoto = { jpeg: Buffer; size: PhotoSize };

/** How wide a photo has to be, in pixels, for its middle to be sharp in the window. */
export function coverWidthOf({ width, height }: PhotoSize): number {
  return Math.round((PRINT_DPI / 72) * WINDOW.side * Math.max(1, width / height));
}

/** Bound in cloth, with a window for the first photo. */
export async function drawCover(sheets: Sheets, memories: number, photo: CoverPhoto | null): Promise<void> {
  drawCloth(sheets);
  if (photo) drawWindow(sheets, photo);
  else drawPaw(sheets, MIDDLE, WINDOW.top + WINDOW.side / 2, 90);
  const title = await sheets.setText(flipbookTexts.title, styles.coverTitle, WIDTH);
  const below = sheets.drawCentred(title, MIDDLE, 406);
  drawRule(sheets, below + 18);
  const count = await sheets.setText(flipbookTexts.count(memories), styles.coverLine, WIDTH);
  const belowCount = sheets.drawCentred(count, MIDDLE, below + 34);
  const dedication = await sheets.setText(flipbookTexts.dedication, styles.coverNote, WIDTH);
  sheets.drawCentred(dedication, MIDDLE, belowCount + 4);
}

export async function drawEnd(sheets: Sheets, today: CalendarDate): Promise<void> {
  drawCloth(sheets);
  drawPaw(sheets, MIDDLE, 190, 40);
  const title = await sheets.setText(flipbookTexts.end, styles.coverTitle, WIDTH);
  const below = sheets.drawCentred(title, MIDDLE, 252);
  drawRule(sheets, below + 18);
  const created = await sheets.setText(flipbookTexts.createdOn(today), styles.coverLine, WIDTH);
  const belowDate = sheets.drawCentred(created, MIDDLE, below + 34);
  const madeWith = await sheets.setText(flipbookTexts.madeWith, styles.coverNote, WIDTH);
  sheets.drawCentred(madeWith, MIDDLE, belowDate + 4);
  if (sheets.hasEmojis()) {
    const credit = await sheets.setText('Emoji: Twemoji, CC BY 4.0', styles.smallNote, WIDTH);
    sheets.drawCentred(credit, MIDDLE, 596);
  }
}

/** The middle of the photo, in a square with a paper border. */
function drawWindow({ document }: Sheets, { jpeg, size }: CoverPhoto): void {
  const { side, top } = WINDOW;
  const left = MIDDLE - side / 2;
  document.rect(left - 10, top - 10, side + 20, side + 20).fill(colors.print);
  const scale = side / Math.min(size.width, size.height);
  const [width, height] = [size.width * scale, size.height * scale];
  document.save().rect(left, top, side, side).clip();
  document.image(jpeg, MIDDLE - width / 2, top + side / 2 - height / 2, { width, height });
  document.restore();
}

/** Bound in cloth, with a frame pressed into it. */
function drawCloth(sheets: Sheets): void {
  sheets.turn(colors.cloth);
  const { document } = sheets;
  for (const [inset, width] of [
    [22, 1.4],
    [28, 0.5],
  ] as const) {
    document
      .roundedRect(inset, inset, page.width - 2 * inset, page.height - 2 * inset, 6)
      .lineWidth(width)
      .stroke(colors.foil);
  }
}

function drawRule({ document }: Sheets, y: number): void {
  document
    .moveTo(MIDDLE - 28, y)
    .lineTo(MIDDLE + 28, y)
    .lineWidth(1)
    .stroke(colors.foil);
}

/** Four toes and a pad, so wide, around a middle. */
function drawPaw({ document }: Sheets, x: number, y: number, width: number): void {
  const unit = width / 46;
  document.save().translate(x, y).scale(unit);
  for (const [toeX, toeY, turn] of [
    [-17.5, -1, -24],
    [-6.5, -13, -8],
    [6.5, -13, 8],
    [17.5, -1, 24],
  ] as const) {
    document.save().translate(toeX, toeY).rotate(turn).ellipse(0, 0, 4.6, 6.6).fill(colors.foil).restore();
  }
  document
    .path(
      'M0 0 C7 0 12 7 14 12 C16 18 11 21 6 19.5 C2 18.4 -2 18.4 -6 19.5 C-11 21 -16 18 -14 12 C-12 7 -7 0 0 0 Z',
    )
    .fill(colors.foil)
    .restore();
}
