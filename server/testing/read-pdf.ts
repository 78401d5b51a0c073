import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

/** What a reader sees of a PDF. */
export type ReadPdf = {
  pages: ReadPage[];
  /** Every photo in it, as it is stored, in order. */
  photos: Buffer[];
};

export type ReadPage = {
  /** Lines as they are written; where they run from right to left their words come last first. */
  text: string;
  width: number;
  height: number;
  fonts: { name: string; isEmbedded: boolean }[];
  /** Boxes in place of letters. */
  missingGlyphs: number;
  /** Pictures drawn, photos and emoji alike. */
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

/** A JPEG lies in a PDF as it is. */
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
