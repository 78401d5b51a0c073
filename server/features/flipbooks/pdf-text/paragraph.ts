import { setImmediate } from 'node:timers/promises';
import LineBreaker from 'linebreak';
import { splitIntoClusters, type Libraries } from './clusters.ts';
import type { Face } from './font-library.ts';
import { levelsOf, runsRightToLeft, toVisualRuns, widthOf, type LevelledCluster } from './visual-runs.ts';

/** A line of a paragraph, in the order in which it is read. */
export type Line = { clusters: LevelledCluster[]; isRightToLeft: boolean };

/** A paragraph with its fonts found, ready to be set in any size. */
export type Paragraph = {
  /** Its lines at most so wide, in ems. Without text it is one empty line. */
  setLines(width: number): Line[];
};

/** What is never parted, unless it is wider than a line. */
type Word = {
  clusters: LevelledCluster[];
  /** In ems; a line may end before its spaces. */
  width: number;
  spaces: number;
};

/** Scripts without spaces, whose words only a dictionary knows. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const LONGEST_PIECE = 1000;
const words = new Intl.Segmenter('th', { granularity: 'word' });

/** @param text without line feeds */
export async function prepareParagraph(text: string, face: Face, libraries: Libraries): Promise<Paragraph> {
  const isRightToLeft = runsRightToLeft(text);
  const prepared: Word[] = [];
  for (const piece of piecesOf(text)) {
    const levels = levelsOf(piece, isRightToLeft);
    const clusters = (await splitIntoClusters(piece, face, libraries)).map((cluster) => ({
      ...cluster,
      level: levels[cluster.start] ?? 0,
    }));
    prepared.push(...splitIntoWords(piece, clusters));
    // Whoever else waits for this process comes in between.
    await setImmediate();
  }
  return {
    setLines: (width) =>
      fillLines(prepared, width).map((line) => ({ clusters: withoutLastSpaces(line), isRightToLeft })),
  };
}

/**
 * An endless paragraph in parts: what finds directions, breaks and characters takes more than its share of time for
 * long ones. Lines run on over the cuts.
 */
function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const piece = text.slice(start, start + LONGEST_PIECE);
    const end = start + piece.length < text.length ? cutOf(piece) : piece.length;
    yield piece.slice(0, end);
    start += end;
  }
}

/** After the last space; without one before the last character, of which there may be more. */
function cutOf(piece: string): number {
  const space = /\s(?=\S*$)/.exec(piece);
  return space ? space.index + 1 : ([...graphemes.segment(piece)].at(-1)?.index ?? 0) || piece.length;
}

function splitIntoWords(text: string, clusters: LevelledCluster[]): Word[] {
  const breaks = breaksOf(text);
  const pieces: LevelledCluster[][] = [[]];
  for (const cluster of clusters) {
    // Several pictures may stand for one character: they stay together.
    const isNext = breaks.has(cluster.start) && pieces.at(-1)?.at(-1)?.start !== cluster.start;
    if (isNext) pieces.push([]);
    pieces.at(-1)?.push(cluster);
  }
  return pieces.map(toWord);
}

function toWord(clusters: LevelledCluster[]): Word {
  const letters = withoutLastSpaces(clusters);
  const spaces = clusters.slice(letters.length);
  return { clusters, width: widthOf(toVisualRuns(letters)), spaces: widthOf(toVisualRuns(spaces)) };
}

/** Where a line may end: the places in the text after which another line may go on. */
function breaksOf(text: string): Set<number> {
  const places = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    if (!isInsideKoreanWord(text, next.position)) places.add(next.position);
  }
  if (UNSPACED.test(text)) {
    for (const { segment, index } of words.segment(text)) if (UNSPACED.test(segment)) places.add(index);
  }
  return places;
}

/** Korean has spaces: a word that is parted between two syllables reads badly. */
function isInsideKoreanWord(text: string, place: number): boolean {
  return HANGUL.test(text.charAt(place - 1)) && HANGUL.test(text.charAt(place));
}

function fillLines(wordsLeft: Word[], width: number): LevelledCluster[][] {
  const lines: LevelledCluster[][] = [];
  let line: LevelledCluster[] = [];
  let used = 0;
  for (const word of wordsLeft.flatMap((each) => (each.width > width ? cutWord(each, width) : [each]))) {
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

/** An endless word: as many characters to a line as it takes. */
function cutWord(word: Word, width: number): Word[] {
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

function withoutLastSpaces(clusters: LevelledCluster[]): LevelledCluster[] {
  const end = clusters.findLastIndex((cluster) => !cluster.isSpace) + 1;
  return clusters.slice(0, end);
}
