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
export class PdfCanvas {
  readonly document: PDFKit.PDFDocument;
  readonly #output: PassThrough;
  readonly #libraries = { fonts: createFontLibrary(), emojis: createEmojiLibrary() };

  constructor(output: PassThrough, { title, createdAt }: { title: string; createdAt: Date }) {
    this.#output = output;
    this.document = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      autoFirstPage: false,
      pdfVersion: '1.7',
      lang: 'en',
      displayTitle: true,
      info: { Title: title, Creator: 'Mems Are Forever', CreationDate: createdAt },
    });
    this.document.pipe(output);
  }

  addPage(backgroundColor: string = colors.paper): void {
    this.document.addPage();
    this.document.rect(0, 0, page.width, page.height).fill(backgroundColor);
  }

  /** Like the other ways to draw lines, it returns the top of the next one. */
  drawCentered(lines: StyledLine[], center: number, top: number): number {
    return this.#drawLines(lines, top, (_, width) => center - width / 2);
  }

  drawRight(lines: StyledLine[], right: number, top: number): number {
    return this.#drawLines(lines, top, (_, width) => right - width);
  }

  /** Left-aligned, or right-aligned in right-to-left paragraphs. */
  drawAligned(lines: StyledLine[], left: number, maxWidth: number, top: number): number {
    return this.#drawLines(lines, top, ({ isRightToLeft }, width) =>
      isRightToLeft ? left + maxWidth - width : left,
    );
  }

  hasEmojis(): boolean {
    return this.#libraries.emojis.wasUsed();
  }

  /** Waits until the output has consumed the pages. @throws OutputClosedError */
  async flush(): Promise<void> {
    do {
      await setImmediate();
      if (this.#output.destroyed) throw new OutputClosedError();
      if (this.#output.writableNeedDrain) await waitForDrainOrClose(this.#output);
    } while (this.document.readableLength > 0);
  }

  async end(): Promise<void> {
    this.document.end();
    await finished(this.#output, { readable: false }).catch((cause: unknown) => {
      throw new OutputClosedError('The output was closed before the end of the PDF', { cause });
    });
  }

  layOutText(text: string, style: TextStyle, width: number): Promise<StyledLine[]> {
    return this.layOutTextToFit([style], text, width, () => true);
  }

  /** Uses the first style whose lines fit, else the last. */
  async layOutTextToFit(
    styles: readonly TextStyle[],
    text: string,
    width: number,
    fits: (lines: StyledLine[], style: TextStyle) => boolean,
  ): Promise<StyledLine[]> {
    const prepared = new Map<Face, Paragraph[]>();
    let lines: StyledLine[] = [];
    for (const style of styles) {
      const paragraphs = prepared.get(style.face) ?? (await this.#prepareText(text, style.face));
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

  async #prepareText(text: string, face: Face): Promise<Paragraph[]> {
    const paragraphs: Paragraph[] = [];
    for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
      paragraphs.push(await prepareParagraph(paragraph, face, this.#libraries));
    }
    return paragraphs;
  }

  #drawLines(lines: StyledLine[], top: number, leftOf: (line: StyledLine, width: number) => number): number {
    let y = top;
    for (const line of lines) {
      const { size, leading } = line.style;
      const runs = toVisualRuns(line.clusters);
      // Centers the letters optically in the line height.
      this.#drawRuns(runs, line.style, leftOf(line, widthOf(runs) * size), y + leading / 2 + size * 0.34);
      y += leading;
    }
    return y;
  }

  #drawRuns(runs: Run[], style: TextStyle, left: number, baseline: number): void {
    let x = left;
    for (const run of runs) {
      if ('emoji' in run) this.#drawEmoji(run.emoji, x, baseline, style.size);
      else {
        const { key, font } = run.font;
        this.document.registerFont(key, font as unknown as PDFKit.Mixins.PDFFontSource);
        this.document.font(key).fontSize(style.size).fillColor(style.color);
        // With `features`, pdfkit shapes the run as a whole; without, it splits it at spaces.
        this.document.text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: [] });
      }
      x += run.width * style.size;
    }
  }

  #drawEmoji(emoji: Emoji, x: number, baseline: number, size: number): void {
    // Text search and screen readers find the character behind the image.
    this.document.markContent('Span', { actual: emoji.text });
    this.document.image(emoji.dataUrl, x + size * 0.04, baseline - size * 0.9, { width: size * 1.08 });
    this.document.endMarkedContent();
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
