import type { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { createEmojiLibrary, type Emoji } from '../pdf-text/emoji-library.ts';
import { createFontLibrary, type Face } from '../pdf-text/font-library.ts';
import { prepareParagraph, type Line, type Paragraph } from '../pdf-text/paragraph.ts';
import { toVisualRuns, widthOf, type Run } from '../pdf-text/visual-runs.ts';
import { colors, page, type TextStyle } from './page-style.ts';

export type StyledLine = Line & { style: TextStyle };

/** Draws on the last page of a PDF. All lengths are in points. */
export type PdfCanvas = ReturnType<typeof createPdfCanvas>;

export function createPdfCanvas(
  output: PassThrough,
  { title, createdAt }: { title: string; createdAt: Date },
) {
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

  return {
    document,
    addPage(backgroundColor: string = colors.paper): void {
      document.addPage();
      document.rect(0, 0, page.width, page.height).fill(backgroundColor);
    },
    layOutText: (text: string, style: TextStyle, width: number) =>
      layOutTextToFit([style], text, width, () => true),
    layOutTextToFit,
    /** All return the top of the next line. */
    drawCentered: (lines: StyledLine[], center: number, top: number) =>
      drawLines(lines, top, (_, width) => center - width / 2),
    drawRight: (lines: StyledLine[], right: number, top: number) =>
      drawLines(lines, top, (_, width) => right - width),
    /** Left-aligned, or right-aligned in right-to-left paragraphs. */
    drawAligned: (lines: StyledLine[], left: number, maxWidth: number, top: number) =>
      drawLines(lines, top, ({ isRightToLeft }, width) => (isRightToLeft ? left + maxWidth - width : left)),
    hasEmojis: () => libraries.emojis.wasUsed(),
    /** Waits until the output has consumed the pages. @throws OutputClosedError */
    async flush(): Promise<void> {
      do {
        await setImmediate();
        if (output.destroyed) throw new OutputClosedError();
        if (output.writableNeedDrain) await waitForDrainOrClose(output);
      } while (document.readableLength > 0);
    },
    async end(): Promise<void> {
      document.end();
      await finished(output, { readable: false }).catch((cause: unknown) => {
        throw new OutputClosedError('The output was closed before the end of the PDF', { cause });
      });
    },
  };

  /** Uses the first style whose lines fit, else the last. */
  async function layOutTextToFit(
    styles: readonly TextStyle[],
    text: string,
    width: number,
    fits: (lines: StyledLine[], style: TextStyle) => boolean,
  ): Promise<StyledLine[]> {
    const prepared = new Map<Face, Paragraph[]>();
    let lines: StyledLine[] = [];
    for (const style of styles) {
      const paragraphs = prepared.get(style.face) ?? (await prepareText(text, style.face));
      prepared.set(style.face, paragraphs);
      lines = paragraphs.flatMap((paragraph) =>
        (style.isBalanced
          ? paragraph.breakBalancedLines(width / style.size)
          : paragraph.breakLines(width / style.size)
        ).map((line) => ({ ...line, style })),
      );
      if (fits(lines, style)) break;
    }
    return lines;
  }

  async function prepareText(text: string, face: Face): Promise<Paragraph[]> {
    const paragraphs: Paragraph[] = [];
    for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
      paragraphs.push(await prepareParagraph(paragraph, face, libraries));
    }
    return paragraphs;
  }

  function drawLines(
    lines: StyledLine[],
    top: number,
    leftOf: (line: StyledLine, width: number) => number,
  ): number {
    let y = top;
    for (const line of lines) {
      const { size, leading } = line.style;
      const runs = toVisualRuns(line.clusters);
      // Centers the letters optically in the line height.
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
        // With `features`, pdfkit shapes the run as a whole; without, it splits it at spaces.
        document.text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: [] });
      }
      x += run.width * style.size;
    }
  }

  function drawEmoji(emoji: Emoji, x: number, baseline: number, size: number) {
    // Text search and screen readers find the character behind the image.
    document.markContent('Span', { actual: emoji.text });
    document.image(emoji.dataUrl, x + size * 0.04, baseline - size * 0.9, { width: size * 1.08 });
    document.endMarkedContent();
  }
}

/** The output was destroyed; its consumer reports the cause. */
export class OutputClosedError extends Error {}

function waitForDrainOrClose(output: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      output.off('drain', finish).off('close', finish);
      resolve();
    };
    output.on('drain', finish).on('close', finish);
  });
}
