import { flipbookTexts } from '#shared/flipbook';
import { captionStyles, colors, page, styles, type TextStyle } from './look.ts';
import type { SetLine, Sheets } from './sheet.ts';

/** What is written about a memory. */
export type Story = { caption: string | null; tags: string[]; when: string };

const MIDDLE = page.width / 2;
const MARGIN = 54;
const WIDTH = page.width - 2 * MARGIN;
const NUMBER_TOP = 58;
/** Where the words may stand: below the number and above the footer. */
const WORDS_TOP = 142;
const WORDS_BOTTOM = 578;
const NEXT_PAGE_TOP = 66;
const FOOTER_TOP = 598;
const GAP = 18;
/** So many lines are a motto, and stand in the middle; more are read, and begin at the side. */
const MOTTO_LINES = 4;
/** About ten pages, and what takes no more than seconds to set: one story must not hold up everybody's books. */
const LONGEST_CAPTION: Bounds = { characters: 20_000, lines: 300 };
const LONGEST_TAGS: Bounds = { characters: 2000, lines: 8 };

type Bounds = { characters: number; lines: number };

/**
 * The number, the words, the tags, the date and the memory's place in the book. More words than a page holds go on
 * on the next one.
 */
export async function drawCaptionPage(
  sheets: Sheets,
  story: Story,
  place: { memory: number; memories: number },
): Promise<void> {
  const details = await setDetails(sheets, story);
  const room = WORDS_BOTTOM - WORDS_TOP - heightOf(details) - GAP;
  const words = await setCaption(sheets, story.caption?.trim() || flipbookTexts.untitled, room);
  await beginPage(sheets, place);
  if (heightOf(words) <= room) {
    const top = WORDS_TOP + (room - heightOf(words)) / 2.4;
    const below = drawWords(sheets, words, top) + GAP;
    sheets.drawCentred(details, MIDDLE, below);
    return;
  }
  let y = WORDS_TOP;
  for (const line of [...words, ...details]) {
    if (y + line.style.leading > WORDS_BOTTOM) {
      await sheets.flush();
      sheets.turn();
      await drawFooter(sheets, `${flipbookTexts.place(place.memory, place.memories)}, continued`);
      y = NEXT_PAGE_TOP;
    }
    // The details follow the words after a gap, without their middle.
    if (line === details[0]) y += GAP;
    y = sheets.drawAligned([line], MARGIN, WIDTH, y);
  }
}

async function beginPage(sheets: Sheets, place: { memory: number; memories: number }): Promise<void> {
  sheets.turn();
  const number = await sheets.setText(String(place.memory + 1), styles.number, WIDTH);
  const below = sheets.drawCentred(number, MIDDLE, NUMBER_TOP);
  sheets.document
    .moveTo(MIDDLE - 16, below + 8)
    .lineTo(MIDDLE + 16, below + 8)
    .lineWidth(0.75)
    .stroke(colors.hairline);
  await drawFooter(sheets, flipbookTexts.place(place.memory, place.memories));
}

async function drawFooter(sheets: Sheets, text: string): Promise<void> {
  sheets.drawCentred(await sheets.setText(text, styles.footer, WIDTH), MIDDLE, FOOTER_TOP);
}

async function setDetails(sheets: Sheets, { tags, when }: Story): Promise<SetLine[]> {
  const date = await sheets.setText(when, styles.date, WIDTH);
  if (tags.length === 0) return date;
  const set = (text: string) => sheets.setText(text, styles.tags, WIDTH);
  return [...(await setShortened(sheets, tags.join('  •  '), LONGEST_TAGS, set)), ...date];
}

/** In the largest size that fits into the room, else in the smallest. */
function setCaption(sheets: Sheets, caption: string, room: number): Promise<SetLine[]> {
  const length = [...caption].length;
  const styles = captionStyles.filter(({ atMost }) => length <= atMost);
  return setShortened(sheets, caption, LONGEST_CAPTION, (text) =>
    sheets.setTextIn(styles, text, WIDTH, (words, style) => isSettled(words, style, room)),
  );
}

/** An ellipsis stands for what is too much. */
async function setShortened(
  sheets: Sheets,
  text: string,
  { characters, lines }: Bounds,
  set: (text: string) => Promise<SetLine[]>,
): Promise<SetLine[]> {
  const words = await set(text.length > characters ? `${text.slice(0, characters)}…` : text);
  const cut = words[lines];
  if (!cut) return words;
  const ellipsis = await sheets.setText('…', cut.style, WIDTH);
  return [
    ...words.slice(0, lines),
    ...ellipsis.map((line) => ({ ...line, isRightToLeft: cut.isRightToLeft })),
  ];
}

/** The large sizes are for few words: a page full of them shouts. */
function isSettled(words: SetLine[], style: TextStyle, room: number): boolean {
  return heightOf(words) <= (style.face === 'display' ? Math.min(room, 6 * style.leading) : room);
}

function drawWords(sheets: Sheets, words: SetLine[], top: number): number {
  return words.length <= MOTTO_LINES
    ? sheets.drawCentred(words, MIDDLE, top)
    : sheets.drawAligned(words, MARGIN, WIDTH, top);
}

function heightOf(lines: SetLine[]): number {
  return lines.reduce((sum, line) => sum + line.style.leading, 0);
}
