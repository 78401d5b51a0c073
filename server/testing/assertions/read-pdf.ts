import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

export type ReadPdf = {
  pages: ReadPage[];
  /** The embedded JPEGs, in order. */
  photos: Buffer[];
};

export type ReadPage = {
  /** In visual order: the words of right-to-left lines are reversed. */
  text: string;
  /** From top to bottom, with their distances in points. */
  lines: { text: string; size: number; left: number; right: number; baseline: number }[];
  width: number;
  height: number;
  fonts: { name: string; isEmbedded: boolean }[];
  missingGlyphs: number;
  /** Photos and emoji. */
  pictures: number;
};

export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    pages.push(await readPage(await document.getPage(number)));
  }
  return { pages, photos: jpegsIn(bytes) };
}

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

async function readPage(page: PdfPage): Promise<ReadPage> {
  const { OPS } = await getResolvedPDFJS();
  const { items } = await page.getTextContent();
  const operators = await page.getOperatorList();
  const args = operators.argsArray as unknown[][];
  const argsOf = (operator: number) => args.filter((_, index) => operators.fnArray[index] === operator);
  const fontIds = new Set(argsOf(OPS.setFont).map(([id]) => id as string));
  const glyphs = argsOf(OPS.showText).flatMap(([shown]) => shown as { originalCharCode?: number }[]);
  const { width, height } = page.getViewport({ scale: 1 });
  return {
    text: items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''),
    lines: linesOf(items, height),
    width,
    height,
    fonts: [...fontIds].map((id) => {
      const font = page.commonObjs.get(id) as { name: string; missingFile: boolean };
      return { name: font.name, isEmbedded: !font.missingFile };
    }),
    missingGlyphs: glyphs.filter((glyph) => glyph.originalCharCode === 0).length,
    pictures: argsOf(OPS.paintImageXObject).length,
  };
}

type TextItem = Awaited<ReturnType<PdfPage['getTextContent']>>['items'][number];

function linesOf(items: TextItem[], pageHeight: number): ReadPage['lines'] {
  const lines = new Map<number, ReadPage['lines'][number]>();
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue;
    const [, , , size, left, bottom] = item.transform as number[];
    const baseline = pageHeight - bottom!;
    const line = lines.get(baseline) ?? { text: '', size: size!, left: left!, right: 0, baseline };
    lines.set(baseline, { ...line, text: line.text + item.str, right: left! + item.width });
  }
  return [...lines.values()].sort((one, other) => one.baseline - other.baseline);
}

/** A PDF embeds JPEGs unchanged. */
function jpegsIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const text = bytes.toString('latin1');
  for (const { 0: dictionary, index } of text.matchAll(/<<[^<>]*\/DCTDecode[^<>]*>>\s*stream\r?\n/g)) {
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const start = index + dictionary.length;
    found.push(bytes.subarray(start, start + length));
  }
  return found;
}
