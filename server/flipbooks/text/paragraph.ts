import LineBreaker from 'linebreak';
import { splitIntoClusters, type Libraries } from './clusters.ts';
import type { Face } from './font-library.ts';
import { levelsOf, toVisualRuns, type LevelledCluster, type Run } from './visual-runs.ts';

/** A line of a paragraph; widths are in ems. */
export type Line = { runs: Run[]; width: number; isRightToLeft: boolean };

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
const words = new Intl.Segmenter('th', { granularity: 'word' });

/** @param text without line feeds */
export async function prepareParagraph(text: string, face: Face, libraries: Libraries): Promise<Paragraph> {
  const { levels, isRightToLeft } = levelsOf(text);
  const clusters = (await splitIntoClusters(text, face, libraries)).map((cluster) => ({
    ...cluster,
    level: levels[cluster.start] ?? 0,
  }));
  const prepared = splitIntoWords(text, clusters);
  return {
    setLines: (width) =>
      fillLines(prepared, width).map((line) => {
        const runs = toVisualRuns(withoutLastSpaces(line));
        return { runs, isRightToLeft, width: widthOf(runs) };
      }),
  };
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
  const width = widthOf(toVisualRuns(withoutLastSpaces(clusters)));
  return { clusters, width, spaces: widthOf(toVisualRuns(clusters)) - width };
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

function widthOf(runs: Run[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}
