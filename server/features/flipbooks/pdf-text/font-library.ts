import { readFile } from 'node:fs/promises';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';
import { listFontFiles, type FontFile } from './font-files.ts';

export type Face = 'display' | 'italic' | 'text';

/** A static font as the PDF embeds it; `key` is unique within the PDF. */
export type LoadedFont = {
  key: string;
  font: Font;
  /** A cache of text widths in ems. */
  widths: Map<string, number>;
};

/** Han characters have different shapes in Chinese, Japanese and Korean. */
export type HanStyle = 'sc' | 'jp' | 'kr';

/** The fonts of one PDF, loaded on first use. Families are tried in a fixed order, so that each script has one font. */
export type FontLibrary = ReturnType<typeof createFontLibrary>;

type Family = { files: FontFile[]; variation: Record<string, number> };

/** In order of preference, before the CJK families. */
const FALLBACK_FAMILIES = [
  'noto-sans',
  'noto-sans-hebrew',
  'vazirmatn',
  ...[
    'arabic',
    'armenian',
    'bengali',
    'ethiopic',
    'georgian',
    'gujarati',
    'kannada',
    'khmer',
    'tamil',
    'telugu',
    'thai',
  ].map((script) => `noto-sans-${script}`),
];

const HAN_ORDER: Record<HanStyle, HanStyle[]> = {
  sc: ['sc', 'jp', 'kr'],
  jp: ['jp', 'sc', 'kr'],
  kr: ['kr', 'sc', 'jp'],
};

export function createFontLibrary() {
  const display = { wght: 500 };
  const text = { wght: 400 };
  const getFamilies = (face: Face, han: HanStyle): Family[] => {
    const primary =
      face === 'text'
        ? { files: listFontFiles('figtree'), variation: text }
        : {
            files: listFontFiles('fraunces', 'opsz', face === 'italic' ? 'italic' : 'normal'),
            variation: { ...display, opsz: 36 },
          };
    const cjk = HAN_ORDER[han].map((style) => `noto-sans-${style}`);
    const variation = face === 'text' ? text : display;
    return [
      primary,
      ...[...FALLBACK_FAMILIES, ...cjk].map((family) => ({ files: listFontFiles(family), variation })),
    ];
  };

  const fonts = new Map<string, Promise<LoadedFont | null>>();
  const results = new Map<string, LoadedFont | null>();
  return {
    async find(face: Face, characters: string, han: HanStyle): Promise<LoadedFont | null> {
      const query = `${face} ${han} ${characters}`;
      const cached = results.get(query);
      if (cached !== undefined) return cached;
      const font = await search(getFamilies(face, han), characters);
      results.set(query, font);
      return font;
    },
  };

  async function search(families: Family[], characters: string): Promise<LoadedFont | null> {
    const codePoints = [...characters].map((character) => character.codePointAt(0) ?? 0);
    for (const { files, variation } of families) {
      for (const file of files.filter((each) => codePoints.every((codePoint) => each.covers(codePoint)))) {
        const key = `${file.path} ${JSON.stringify(variation)}`;
        const pending = fonts.get(key) ?? load(key, file, variation);
        fonts.set(key, pending);
        const font = await pending;
        if (font && codePoints.every((codePoint) => font.font.hasGlyphForCodePoint(codePoint))) return font;
      }
    }
    return null;
  }
}

/** Makes a static TrueType font: fontkit can neither instantiate nor subset a variable WOFF2. */
async function load(
  key: string,
  file: FontFile,
  variation: Record<string, number>,
): Promise<LoadedFont | null> {
  const bytes = await subsetFont(await readFile(file.path), file.characters(), {
    targetFormat: 'sfnt',
    variationAxes: variation,
  });
  const font = create(bytes) as Font;
  return isEmpty(font) ? null : { key, font: withLayoutFallback(font), widths: new Map() };
}

/** Some subsets contain none of their declared characters; fontkit throws for their missing character map. */
function isEmpty(font: Font): boolean {
  try {
    return font.characterSet.length === 0;
  } catch {
    return true;
  }
}

/** fontkit throws when a font lacks an anchor for a mark; retry without mark positioning. */
function withLayoutFallback(font: Font): Font {
  const layout = font.layout.bind(font);
  font.layout = (text, features, ...more) => {
    try {
      return layout(text, features, ...more);
    } catch {
      return layout(text, { mark: false, mkmk: false, abvm: false, blwm: false }, ...more);
    }
  };
  return font;
}
