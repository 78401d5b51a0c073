import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type FontFile = {
  path: string;
  /** The declared characters, some of which the font may lack. */
  characters: () => string;
  covers(codePoint: number): boolean;
};

type Range = { first: number; last: number };

const require = createRequire(import.meta.url);

const cache = new Map<string, FontFile[]>();

export function listFontFiles(family: string, axes = 'wght', style = 'normal'): FontFile[] {
  const name = `${family}-${style}`;
  const files = cache.get(name) ?? readIndex(family, axes, style);
  cache.set(name, files);
  return files;
}

function readIndex(family: string, axes: string, style: string): FontFile[] {
  const index = require.resolve(`@fontsource-variable/${family}/unicode.json`);
  const subsets = JSON.parse(readFileSync(index, 'utf8')) as Record<string, string>;
  return Object.entries(subsets).map(([name, text]) => {
    // Subsets are named `latin`, or `[42]` in families with hundreds.
    const file = `${family}-${name.replace(/[[\]]/g, '')}-${axes}-${style}.woff2`;
    const ranges = text.split(',').map(parseRange);
    return {
      path: join(dirname(index), 'files', file),
      characters: () => ranges.map(charactersOf).join(''),
      covers: (codePoint) => ranges.some(({ first, last }) => first <= codePoint && codePoint <= last),
    };
  });
}

/** `U+600-6FF`, or `U+20AC`. */
function parseRange(text: string): Range {
  const [first = 0, last = first] = text
    .trim()
    .slice('U+'.length)
    .split('-')
    .map((hex) => Number.parseInt(hex, 16));
  return { first, last };
}

function charactersOf({ first, last }: Range): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
