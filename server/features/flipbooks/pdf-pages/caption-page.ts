import { CAPTION_SIZES, captionSize, type CaptionSize } from '#shared/album/flipbook-caption';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import { colors, displayStyle, page, styles, textStyles } from './page-style.ts';
import type { PdfCanvas, StyledLine } from './pdf-canvas.ts';

export type CaptionText = { caption: string | null; tags: string[]; date: string };
type Position = { memory: number; memories: number };

const MIDDLE = page.width / 2;
const MARGIN = 54;
const WIDTH = page.width - 2 * MARGIN;
/** The middle of a caption that does not fill the page. */
const CAPTION_MIDDLE = 0.42 * page.height;
const CAPTION_TOP = 46;
const CAPTION_BOTTOM = 578;
const FOOTER_TOP = 598;
const GAP = 18;
const MAX_CENTERED_LINES = 4;
/** About ten pages, laid out within seconds: one caption must not delay the PDFs of others. */
const MAX_CAPTION: Limits = { characters: 20_000, lines: 300 };
const MAX_DETAILS: Limits = { characters: 2000, lines: 8 };

type Limits = { characters: number; lines: number };

export async function drawCaptionPage(
  canvas: PdfCanvas,
  text: CaptionText,
  position: Position,
): Promise<void> {
  const details = await layOutDetails(canvas, text);
  const detailsTop = CAPTION_BOTTOM - heightOf(details);
  const room = detailsTop - GAP - CAPTION_TOP;
  const lines = await layOutCaption(canvas, text.caption?.trim() || flipbookTexts.untitled, room);
  await addCaptionPage(canvas, position);
  const height = heightOf(lines);
  if (height <= room) {
    const top = Math.min(Math.max(CAPTION_TOP, CAPTION_MIDDLE - height / 2), CAPTION_TOP + room - height);
    drawCaption(canvas, lines, top);
    canvas.drawCentered(details, MIDDLE, detailsTop);
    return;
  }
  let y = CAPTION_TOP;
  for (const line of [...lines, ...details]) {
    if (y + line.style.leading > CAPTION_BOTTOM) {
      await canvas.flush();
      await addCaptionPage(canvas, position, ', continued');
      y = CAPTION_TOP;
    }
    // Continued captions are aligned, and so are the details after them.
    if (line === details[0]) y += GAP;
    y = canvas.drawAligned([line], MARGIN, WIDTH, y);
  }
}

async function addCaptionPage(canvas: PdfCanvas, position: Position, suffix = ''): Promise<void> {
  canvas.addPage();
  canvas.document
    .moveTo(MARGIN, FOOTER_TOP - 7)
    .lineTo(MARGIN + WIDTH, FOOTER_TOP - 7)
    .lineWidth(0.75)
    .stroke(colors.hairline);
  const number = await canvas.layOutText(String(position.memory + 1), styles.number, WIDTH);
  canvas.drawAligned(number, MARGIN, WIDTH, FOOTER_TOP);
  const positionText = `${flipbookTexts.position(position.memory, position.memories)}${suffix}`;
  const lines = await canvas.layOutText(positionText, styles.footer, WIDTH);
  canvas.drawRight(lines, MARGIN + WIDTH, FOOTER_TOP);
}

function layOutDetails(canvas: PdfCanvas, { tags, date }: CaptionText): Promise<StyledLine[]> {
  return layOutShortened(canvas, [date, ...tags].join('  •  '), MAX_DETAILS, (text) =>
    canvas.layOutText(text, styles.details, WIDTH),
  );
}

async function layOutCaption(canvas: PdfCanvas, caption: string, room: number): Promise<StyledLine[]> {
  const size = captionSize(caption);
  if (size) {
    // The size is estimated: wide letters may need the next one.
    const sizes = Object.keys(CAPTION_SIZES) as CaptionSize[];
    const displayStyles = sizes.slice(sizes.indexOf(size)).map(displayStyle);
    return canvas.layOutTextToFit(displayStyles, caption, WIDTH, (lines) => heightOf(lines) <= room);
  }
  const { length } = [...caption];
  const candidates = textStyles.filter(({ maxCharacters }) => length <= maxCharacters);
  return layOutShortened(canvas, caption, MAX_CAPTION, (text) =>
    canvas.layOutTextToFit(candidates, text, WIDTH, (lines) => heightOf(lines) <= room),
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

/** Display sizes are centered, and so are a few lines of text. */
function drawCaption(canvas: PdfCanvas, lines: StyledLine[], top: number): number {
  return lines[0]?.style.isBalanced || lines.length <= MAX_CENTERED_LINES
    ? canvas.drawCentered(lines, MIDDLE, top)
    : canvas.drawAligned(lines, MARGIN, WIDTH, top);
}

function heightOf(lines: StyledLine[]): number {
  return lines.reduce((sum, line) => sum + line.style.leading, 0);
}
