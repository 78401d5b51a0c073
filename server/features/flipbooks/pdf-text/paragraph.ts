import { setImmediate } from 'node:timers/promises';
import LineBreaker from 'linebreak';
import { splitIntoClusters, type Libraries } from './grapheme-clusters.ts';
import type { Face } from './font-library.ts';
import {
  embeddingLevels,
  isRightToLeftText,
  toVisualRuns,
  widthOf,
  type LevelledCluster,
} from './visual-runs.ts';

/** In logical order. */
export type Line = { clusters: LevelledCluster[]; isRightToLeft: boolean };

export type Paragraph = {
  /** `width` is in ems. An empty paragraph has one empty line. */
  breakLines(width: number): Line[];
  /** The same number of lines, about equally long. */
  breakBalancedLines(width: number): Line[];
};

/** Unbreakable, unless it is wider than a line. */
type Word = {
  clusters: LevelledCluster[];
  /** In ems, without the trailing spaces. */
  width: number;
  spaces: number;
};

/** Scripts without spaces: `Intl.Segmenter` finds their words by a dictionary. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const MAX_CHUNK_LENGTH = 1000;
const wordSegmenter = new Intl.Segmenter('th', { granularity: 'word' });

export async function prepareParagraph(text: string, face: Face, libraries: Libraries): Promise<Paragraph> {
  const isRightToLeft = isRightToLeftText(text);
  const words: Word[] = [];
  for (const chunk of splitIntoChunks(text)) {
    const levels = embeddingLevels(chunk, isRightToLeft);
    const clusters = (await splitIntoClusters(chunk, face, libraries)).map((cluster) => ({
      ...cluster,
      level: levels[cluster.start] ?? 0,
    }));
    words.push(...splitIntoWords(chunk, clusters));
    // Yields to requests between chunks.
    await setImmediate();
  }
  const toLines = (lines: LevelledCluster[][]) =>
    lines.map((line) => ({ clusters: trimTrailingSpaces(line), isRightToLeft }));
  return {
    breakLines: (width) => toLines(fillLines(words, width)),
    breakBalancedLines: (width) => toLines(fillLines(words, balancedWidth(words, width))),
  };
}

const BALANCE_STEPS = 8;

/** The smallest width with the same number of lines, and with no more broken words. */
function balancedWidth(words: Word[], width: number): number {
  const count = fillLines(words, width).length;
  let tooNarrow = Math.min(width, Math.max(0, ...words.map((word) => word.width)));
  let wideEnough = width;
  for (let step = 0; step < BALANCE_STEPS; step++) {
    const middle = (tooNarrow + wideEnough) / 2;
    if (fillLines(words, middle).length > count) tooNarrow = middle;
    else wideEnough = middle;
  }
  return wideEnough;
}

/** Splits long paragraphs, since bidi and line breaking take superlinear time. Lines continue across chunks. */
function* splitIntoChunks(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const chunk = text.slice(start, start + MAX_CHUNK_LENGTH);
    const end = start + chunk.length < text.length ? chunkEnd(chunk) : chunk.length;
    yield chunk.slice(0, end);
    start += end;
  }
}

/** After the last space; without one, before the last grapheme, which may be incomplete. */
function chunkEnd(chunk: string): number {
  const space = /\s(?=\S*$)/.exec(chunk);
  return space ? space.index + 1 : ([...graphemes.segment(chunk)].at(-1)?.index ?? 0) || chunk.length;
}

function splitIntoWords(text: string, clusters: LevelledCluster[]): Word[] {
  const breaks = findBreaks(text);
  const groups: LevelledCluster[][] = [[]];
  for (const cluster of clusters) {
    // The parts of one emoji sequence stay together.
    const startsWord = breaks.has(cluster.start) && groups.at(-1)?.at(-1)?.start !== cluster.start;
    if (startsWord) groups.push([]);
    groups.at(-1)?.push(cluster);
  }
  return groups.map(toWord);
}

function toWord(clusters: LevelledCluster[]): Word {
  const letters = trimTrailingSpaces(clusters);
  const spaces = clusters.slice(letters.length);
  return { clusters, width: widthOf(toVisualRuns(letters)), spaces: widthOf(toVisualRuns(spaces)) };
}

function findBreaks(text: string): Set<number> {
  const breaks = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    if (!isInsideKoreanWord(text, next.position)) breaks.add(next.position);
  }
  if (UNSPACED.test(text)) {
    for (const { segment, index } of wordSegmenter.segment(text))
      if (UNSPACED.test(segment)) breaks.add(index);
  }
  return breaks;
}

/** UAX 14 allows breaks between syllables, but Korean has spaces and reads better with whole words. */
function isInsideKoreanWord(text: string, index: number): boolean {
  return HANGUL.test(text.charAt(index - 1)) && HANGUL.test(text.charAt(index));
}

function fillLines(words: Word[], width: number): LevelledCluster[][] {
  const lines: LevelledCluster[][] = [];
  let line: LevelledCluster[] = [];
  let used = 0;
  for (const word of words.flatMap((each) => (each.width > width ? splitWord(each, width) : [each]))) {
    if (line.length > 0 && used + word.width > width) {
      lines.push(line);
      line = [];
      used = 0;
    }
    line.push(...word.clusters);
    used += word.width + word.spaces;
  }
  return [...lines, line];
}

function splitWord(word: Word, width: number): Word[] {
  const parts: Word[] = [];
  let part: LevelledCluster[] = [];
  let used = 0;
  for (const cluster of word.clusters) {
    const own = widthOf(toVisualRuns([cluster]));
    if (part.length > 0 && used + own > width) {
      parts.push(toWord(part));
      part = [];
      used = 0;
    }
    part.push(cluster);
    used += own;
  }
  return [...parts, toWord(part)];
}

function trimTrailingSpaces(clusters: LevelledCluster[]): LevelledCluster[] {
  const end = clusters.findLastIndex((cluster) => !cluster.isSpace) + 1;
  return clusters.slice(0, end);
}
