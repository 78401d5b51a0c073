import { readFile } from 'node:fs/promises';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';
import { listFontFiles, type FontFile } from './font-files.ts';

/** Fraunces for what is read large, Figtree for the rest; other scripts in the weight that goes with it. */
export type Face = 'display' | 'italic' | 'text';

/** A font at one weight, as the PDF embeds it. The key tells it from all others of the book. */
export type LoadedFont = {
  key: string;
  font: Font;
  /** How wide texts are in it, in ems, as far as they were measured. */
  widths: Map<string, number>;
};

/** Whose shapes Chinese characters take where no font before has them: the language that the text seems to be in. */
export type HanStyle = 'sc' | 'jp' | 'kr';

/**
 * The fonts of one book, read when their first character comes. Each family is asked in turn, so that every script
 * keeps one look.
 */
export type FontLibrary = {
  /** Null when no font has all of these characters. */
  find(face: Face, characters: string, han: HanStyle): Promise<LoadedFont | null>;
};

type Family = { files: FontFile[]; variation: Record<string, number> };

/** For what the product's own fonts lack, Chinese, Japanese and Korean apart. */
const FAMILIES = [
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

export function createFontLibrary(): FontLibrary {
  const display = { wght: 500 };
  const text = { wght: 400 };
  const familiesOf = (face: Face, han: HanStyle): Family[] => {
    const own =
      face === 'text'
        ? { files: listFontFiles('figtree'), variation: text }
        : {
            files: listFontFiles('fraunces', 'opsz', face === 'italic' ? 'italic' : 'normal'),
            variation: { ...display, opsz: 36 },
          };
    const asian = HAN_ORDER[han].map((style) => `noto-sans-${style}`);
    const variation = face === 'text' ? text : display;
    return [own, ...[...FAMILIES, ...asian].map((family) => ({ files: listFontFiles(family), variation }))];
  };

  const loaded = new Map<string, Promise<LoadedFont | null>>();
  const found = new Map<string, LoadedFont | null>();
  return {
    async find(face, characters, han) {
      const question = `${face} ${han} ${characters}`;
      const known = found.get(question);
      if (known !== undefined) return known;
      const font = await search(familiesOf(face, han), characters);
      found.set(question, font);
      return font;
    },
  };

  async function search(families: Family[], characters: string): Promise<LoadedFont | null> {
    const codePoints = [...characters].map((character) => character.codePointAt(0) ?? 0);
    for (const { files, variation } of families) {
      for (const file of files.filter((each) => codePoints.every((codePoint) => each.covers(codePoint)))) {
        const key = `${file.path} ${JSON.stringify(variation)}`;
        const loading = loaded.get(key) ?? load(key, file, variation);
        loaded.set(key, loading);
        const font = await loading;
        if (font && codePoints.every((codePoint) => font.font.hasGlyphForCodePoint(codePoint))) return font;
      }
    }
    return null;
  }
}

/** One weight of a variable font, as plain TrueType: fontkit can neither vary nor subset a WOFF2. */
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
  return isEmpty(font) ? null : { key, font: forgiving(font), widths: new Map() };
}

/** Some pieces of a family have none of the characters that they are meant for: fontkit finds no map of them. */
function isEmpty(font: Font): boolean {
  try {
    return font.characterSet.length === 0;
  } catch {
    return true;
  }
}

/** fontkit gives up where a font has no place for a mark on its letter: then no mark is moved to its place. */
function forgiving(font: Font): Font {
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
