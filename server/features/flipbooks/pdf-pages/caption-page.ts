import { flipbookTexts } from '#shared/flipbook-texts';
import { captionStyles, colors, page, styles, type TextStyle } from './page-style.ts';
import type { PdfCanvas, StyledLine } from './pdf-canvas.ts';

export type CaptionText = { caption: string | null; tags: string[]; date: string };
type Position = { memory: number; memories: number };

const MIDDLE = page.width / 2;
const MARGIN = 54;
const WIDTH = page.width - 2 * MARGIN;
const NUMBER_TOP = 58;
const CAPTION_TOP = 142;
const CAPTION_BOTTOM = 578;
const NEXT_PAGE_TOP = 66;
const FOOTER_TOP = 598;
const GAP = 18;
const MAX_CENTERED_LINES = 4;
/** About ten pages, laid out within seconds: one caption must not delay the PDFs of others. */
const MAX_CAPTION: Limits = { characters: 20_000, lines: 300 };
const MAX_TAGS: Limits = { characters: 2000, lines: 8 };

type Limits = { characters: number; lines: number };

export async function drawCaptionPage(
  canvas: PdfCanvas,
  text: CaptionText,
  position: Position,
): Promise<void> {
  const details = await layOutDetails(canvas, text);
  const room = CAPTION_BOTTOM - CAPTION_TOP - heightOf(details) - GAP;
  const lines = await layOutCaption(canvas, text.caption?.trim() || flipbookTexts.untitled, room);
  await addCaptionPage(canvas, position);
  if (heightOf(lines) <= room) {
    const top = CAPTION_TOP + (room - heightOf(lines)) / 2.4;
    const below = drawCaption(canvas, lines, top) + GAP;
    canvas.drawCentered(details, MIDDLE, below);
    return;
  }
  let y = CAPTION_TOP;
  for (const line of [...lines, ...details]) {
    if (y + line.style.leading > CAPTION_BOTTOM) {
      await canvas.flush();
      canvas.addPage();
      await drawFooter(canvas, `${flipbookTexts.place(position.memory, position.memories)}, continued`);
      y = NEXT_PAGE_TOP;
    }
    // Continued captions are aligned, and so are the details after them.
    if (line === details[0]) y += GAP;
    y = canvas.drawAligned([line], MARGIN, WIDTH, y);
  }
}

async function addCaptionPage(canvas: PdfCanvas, position: Position): Promise<void> {
  canvas.addPage();
  const number = await canvas.layOutText(String(position.memory + 1), styles.number, WIDTH);
  const below = canvas.drawCentered(number, MIDDLE, NUMBER_TOP);
  canvas.document
    .moveTo(MIDDLE - 16, below + 8)
    .lineTo(MIDDLE + 16, below + 8)
    .lineWidth(0.75)
    .stroke(colors.hairline);
  await drawFooter(canvas, flipbookTexts.place(position.memory, position.memories));
}

async function drawFooter(canvas: PdfCanvas, text: string): Promise<void> {
  canvas.drawCentered(await canvas.layOutText(text, styles.footer, WIDTH), MIDDLE, FOOTER_TOP);
}

async function layOutDetails(
  canvas: PdfCanvas,
  { tags, date: dateText }: CaptionText,
): Promise<StyledLine[]> {
  const date = await canvas.layOutText(dateText, styles.date, WIDTH);
  if (tags.length === 0) return date;
  const layOut = (text: string) => canvas.layOutText(text, styles.tags, WIDTH);
  return [...(await layOutShortened(canvas, tags.join('  •  '), MAX_TAGS, layOut)), ...date];
}

function layOutCaption(canvas: PdfCanvas, caption: string, room: number): Promise<StyledLine[]> {
  const length = [...caption].length;
  const styles = captionStyles.filter(({ maxCharacters }) => length <= maxCharacters);
  return layOutShortened(canvas, caption, MAX_CAPTION, (text) =>
    canvas.layOutTextToFit(styles, text, WIDTH, (lines, style) => fits(lines, style, room)),
  );
}

async function layOutShortened(
  canvas: PdfCanvas,
  text: string,
  limits: Limits,
  layOut: (text: string) => Promise<StyledLine[]>,
): Promise<StyledLine[]> {
  const { characters } = limits;
  const lines = await layOut(text.length > characters ? `${text.slice(0, characters)}…` : text);
  const cut = lines[limits.lines];
  if (!cut) return lines;
  const ellipsis = await canvas.layOutText('…', cut.style, WIDTH);
  return [
    ...lines.slice(0, limits.lines),
    ...ellipsis.map((line) => ({ ...line, isRightToLeft: cut.isRightToLeft })),
  ];
}

/** The display font is limited to six lines; a page full of it is hard to read. */
function fits(lines: StyledLine[], style: TextStyle, room: number): boolean {
  return heightOf(lines) <= (style.face === 'display' ? Math.min(room, 6 * style.leading) : room);
}

function drawCaption(canvas: PdfCanvas, lines: StyledLine[], top: number): number {
  return lines.length <= MAX_CENTERED_LINES
    ? canvas.drawCentered(lines, MIDDLE, top)
    : canvas.drawAligned(lines, MARGIN, WIDTH, top);
}

function heightOf(lines: StyledLine[]): number {
  return lines.reduce((sum, line) => sum + line.style.leading, 0);
}
