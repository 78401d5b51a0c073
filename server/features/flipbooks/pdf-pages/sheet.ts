import type { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { createEmojiLibrary, type Emoji } from '../pdf-text/emoji-library.ts';
import { createFontLibrary, type Face } from '../pdf-text/font-library.ts';
import { prepareParagraph, type Line, type Paragraph } from '../pdf-text/paragraph.ts';
import { toVisualRuns, widthOf, type Run } from '../pdf-text/visual-runs.ts';
import { colors, page, type TextStyle } from './look.ts';

/** A line of text as it is set: in points, from here on. */
export type SetLine = Line & { style: TextStyle };

/** The sheets that a book is printed on, one after the other; what is on the last one is drawn with these. */
export type Sheets = {
  document: PDFKit.PDFDocument;
  /** The next sheet, in one color. */
  turn(color?: string): void;
  /** Lines at most so wide; a line feed begins a new one. */
  setText(text: string, style: TextStyle, width: number): Promise<SetLine[]>;
  /** The same in the first of the styles whose lines are all right, else in the last. */
  setTextIn(
    styles: readonly TextStyle[],
    text: string,
    width: number,
    isRight: (lines: SetLine[], style: TextStyle) => boolean,
  ): Promise<SetLine[]>;
  /** Lines from this place down, each with its middle there. Returns where the next line would be. */
  drawCentred(lines: SetLine[], center: number, top: number): number;
  /** Lines from this place down, each beginning on the side from which it is read. Returns where the next would be. */
  drawAligned(lines: SetLine[], left: number, width: number, top: number): number;
  hasEmojis(): boolean;
  /** Waits until what was drawn is taken. @throws when nobody takes it any more */
  flush(): Promise<void>;
  end(): Promise<void>;
};

export function createSheets(output: PassThrough, { title, createdAt }: { title: string; createdAt: Date }) {
  const document = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Creator: 'Mems Are Forever', CreationDate: createdAt },
  });
  document.pipe(output);
  const libraries = { fonts: createFontLibrary(), emojis: createEmojiLibrary() };

  const sheets: Sheets = {
    document,
    turn(color = colors.paper) {
      document.addPage();
      document.rect(0, 0, page.width, page.height).fill(color);
    },
    setText: (text, style, width) => sheets.setTextIn([style], text, width, () => true),
    async setTextIn(styles, text, width, isRight) {
      const prepared = new Map<Face, Paragraph[]>();
      let lines: SetLine[] = [];
      for (const style of styles) {
        const paragraphs = prepared.get(style.face) ?? (await prepareText(text, style.face));
        prepared.set(style.face, paragraphs);
        lines = paragraphs.flatMap((paragraph) =>
          paragraph.setLines(width / style.size).map((line) => ({ ...line, style })),
        );
        if (isRight(lines, style)) break;
      }
      return lines;
    },
    drawCentred: (lines, center, top) => drawLines(lines, top, (_, width) => center - width / 2),
    drawAligned: (lines, left, room, top) =>
      drawLines(lines, top, ({ isRightToLeft }, width) => (isRightToLeft ? left + room - width : left)),
    hasEmojis: () => libraries.emojis.wasUsed(),
    async flush() {
      do {
        await setImmediate();
        if (output.destroyed) throw new OutputClosedError();
        if (output.writableNeedDrain) await drained(output);
      } while (document.readableLength > 0);
    },
    async end() {
      document.end();
      await finished(output, { readable: false }).catch((cause: unknown) => {
        throw new OutputClosedError('The book was not taken to its end', { cause });
      });
    },
  };
  return sheets;

  async function prepareText(text: string, face: Face): Promise<Paragraph[]> {
    const paragraphs: Paragraph[] = [];
    for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
      paragraphs.push(await prepareParagraph(paragraph, face, libraries));
    }
    return paragraphs;
  }

  function drawLines(
    lines: SetLine[],
    top: number,
    leftOf: (line: SetLine, width: number) => number,
  ): number {
    let y = top;
    for (const line of lines) {
      const { size, leading } = line.style;
      const runs = toVisualRuns(line.clusters);
      // Letters sit in the middle of their line's height, by the eye.
      drawRuns(runs, line.style, leftOf(line, widthOf(runs) * size), y + leading / 2 + size * 0.34);
      y += leading;
    }
    return y;
  }

  function drawRuns(runs: Run[], style: TextStyle, left: number, baseline: number): void {
    let x = left;
    for (const run of runs) {
      if ('emoji' in run) drawEmoji(run.emoji, x, baseline, style.size);
      else {
        const { key, font } = run.font;
        document.registerFont(key, font as unknown as PDFKit.Mixins.PDFFontSource);
        document.font(key).fontSize(style.size).fillColor(style.color);
        // Features keep a run whole: without any, pdfkit cuts it at spaces.
        document.text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: [] });
      }
      x += run.width * style.size;
    }
  }

  function drawEmoji(emoji: Emoji, x: number, baseline: number, size: number) {
    // Whoever searches the book, or has it read out, finds the character.
    document.markContent('Span', { actual: emoji.text });
    document.image(emoji.picture, x + size * 0.04, baseline - size * 0.9, { width: size * 1.08 });
    document.endMarkedContent();
  }
}

/** Whoever took the book has gone, and knows why. */
export class OutputClosedError extends Error {}

/** Until it takes more, or nothing any more. */
function drained(output: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      output.off('drain', settle).off('close', settle);
      resolve();
    };
    output.on('drain', settle).on('close', settle);
  });
}
