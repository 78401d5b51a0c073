import { flipbookTexts } from '#shared/album/flipbook-texts';
import type { CalendarDate } from '#shared/dates/calendar-date';
import { colors, coverTitleStyles, page, styles, type TextStyle } from './page-style.ts';
import { PRINT_DPI, type PhotoSize } from './photo-page.ts';
import type { PdfCanvas, StyledLine } from './pdf-canvas.ts';

const MIDDLE = page.width / 2;
const WIDTH = 400;
const WINDOW = { side: 264, top: 96 };
/** Below it are the lines about the book, and then the frame. */
const TITLE = { top: 406, height: 120 };

export type CoverPhoto = { jpeg: Buffer; size: PhotoSize };

/** The width in pixels at which the cropped photo is sharp in print. */
export function coverPhotoWidth({ width, height }: PhotoSize): number {
  return Math.round((PRINT_DPI / 72) * WINDOW.side * Math.max(1, width / height));
}

export async function drawCover(
  canvas: PdfCanvas,
  bookTitle: string,
  memories: number,
  photo: CoverPhoto | null,
): Promise<void> {
  drawCloth(canvas);
  if (photo) drawWindow(canvas, photo);
  else drawPaw(canvas, MIDDLE, WINDOW.top + WINDOW.side / 2, 90);
  const fits = (lines: StyledLine[], { leading }: TextStyle) => lines.length * leading <= TITLE.height;
  const titleText = bookTitle.replace(/\s+/g, ' ');
  const title = await canvas.layOutTextToFit(coverTitleStyles, titleText, WIDTH, fits);
  const below = canvas.drawCentered(title, MIDDLE, TITLE.top);
  drawRule(canvas, below + 18);
  const count = await canvas.layOutText(flipbookTexts.count(memories), styles.coverLine, WIDTH);
  const belowCount = canvas.drawCentered(count, MIDDLE, below + 34);
  const dedication = await canvas.layOutText(flipbookTexts.dedication, styles.coverNote, WIDTH);
  canvas.drawCentered(dedication, MIDDLE, belowCount + 4);
}

export async function drawEnd(canvas: PdfCanvas, today: CalendarDate): Promise<void> {
  drawCloth(canvas);
  drawPaw(canvas, MIDDLE, 190, 40);
  const title = await canvas.layOutText(flipbookTexts.end, styles.coverTitle, WIDTH);
  const below = canvas.drawCentered(title, MIDDLE, 252);
  drawRule(canvas, below + 18);
  const created = await canvas.layOutText(flipbookTexts.createdOn(today), styles.coverLine, WIDTH);
  const belowDate = canvas.drawCentered(created, MIDDLE, below + 34);
  const madeWith = await canvas.layOutText(flipbookTexts.madeWith, styles.coverNote, WIDTH);
  canvas.drawCentered(madeWith, MIDDLE, belowDate + 4);
  if (canvas.hasEmojis()) {
    const credit = await canvas.layOutText('Emoji: Twemoji, CC BY 4.0', styles.smallNote, WIDTH);
    canvas.drawCentered(credit, MIDDLE, 596);
  }
}

function drawWindow({ document }: PdfCanvas, { jpeg, size }: CoverPhoto): void {
  const { side, top } = WINDOW;
  const left = MIDDLE - side / 2;
  document.rect(left - 10, top - 10, side + 20, side + 20).fill(colors.print);
  const scale = side / Math.min(size.width, size.height);
  const [width, height] = [size.width * scale, size.height * scale];
  document.save().rect(left, top, side, side).clip();
  document.image(jpeg, MIDDLE - width / 2, top + side / 2 - height / 2, { width, height });
  document.restore();
}

function drawCloth(canvas: PdfCanvas): void {
  canvas.addPage(colors.cloth);
  const { document } = canvas;
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

function drawRule({ document }: PdfCanvas, y: number): void {
  document
    .moveTo(MIDDLE - 28, y)
    .lineTo(MIDDLE + 28, y)
    .lineWidth(1)
    .stroke(colors.foil);
}

function drawPaw({ document }: PdfCanvas, x: number, y: number, width: number): void {
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
