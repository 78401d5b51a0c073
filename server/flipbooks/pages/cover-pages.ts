import { flipbookTexts } from '#shared/flipbook';
import type { CalendarDate } from '#shared/calendar-date';
import { colours, page, styles } from './look.ts';
import type { Sheets } from './sheet.ts';

const MIDDLE = page.width / 2;
const WIDTH = 340;

export async function drawCover(sheets: Sheets, memories: number): Promise<void> {
  drawCloth(sheets);
  drawPaw(sheets, MIDDLE, 150, 46);
  const title = await sheets.setText(flipbookTexts.title, styles.coverTitle, WIDTH);
  const below = sheets.drawCentred(title, MIDDLE, 222);
  drawRule(sheets, below + 28);
  const count = await sheets.setText(flipbookTexts.count(memories), styles.coverLine, WIDTH);
  sheets.drawCentred(count, MIDDLE, below + 50);
  const dedication = await sheets.setText(flipbookTexts.dedication, styles.coverNote, WIDTH);
  sheets.drawCentred(dedication, MIDDLE, 556);
}

export async function drawEnd(sheets: Sheets, today: CalendarDate): Promise<void> {
  drawCloth(sheets);
  const title = await sheets.setText(flipbookTexts.end, styles.coverTitle, WIDTH);
  const below = sheets.drawCentred(title, MIDDLE, 226);
  drawRule(sheets, below + 28);
  const created = await sheets.setText(flipbookTexts.createdOn(today), styles.coverLine, WIDTH);
  sheets.drawCentred(created, MIDDLE, below + 50);
  drawPaw(sheets, MIDDLE, 512, 22);
  const madeWith = await sheets.setText(flipbookTexts.madeWith, styles.coverNote, WIDTH);
  sheets.drawCentred(madeWith, MIDDLE, 556);
  if (sheets.hasEmojis()) {
    const credit = await sheets.setText('Emoji: Twemoji, CC BY 4.0', styles.smallNote, WIDTH);
    sheets.drawCentred(credit, MIDDLE, 582);
  }
}

/** Bound in cloth, with a frame pressed into it. */
function drawCloth(sheets: Sheets): void {
  sheets.turn(colours.cloth);
  const { document } = sheets;
  for (const [inset, width] of [
    [22, 1.4],
    [28, 0.5],
  ] as const) {
    document
      .roundedRect(inset, inset, page.width - 2 * inset, page.height - 2 * inset, 6)
      .lineWidth(width)
      .stroke(colours.foil);
  }
}

function drawRule({ document }: Sheets, y: number): void {
  document
    .moveTo(MIDDLE - 28, y)
    .lineTo(MIDDLE + 28, y)
    .lineWidth(1)
    .stroke(colours.foil);
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
    document.save().translate(toeX, toeY).rotate(turn).ellipse(0, 0, 4.6, 6.6).fill(colours.foil).restore();
  }
  document
    .path(
      'M0 0 C7 0 12 7 14 12 C16 18 11 21 6 19.5 C2 18.4 -2 18.4 -6 19.5 C-11 21 -16 18 -14 12 C-12 7 -7 0 0 0 Z',
    )
    .fill(colours.foil)
    .restore();
}
