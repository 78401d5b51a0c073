import bidiFactory from 'bidi-js';
import type { Cluster } from './clusters.ts';
import type { Emoji } from './emoji-library.ts';
import type { LoadedFont } from './font-library.ts';

/** A part of a line that is drawn at once, left to right. Its width is in ems. */
export type Run = { width: number } & ({ font: LoadedFont; text: string } | { emoji: Emoji });

/** A cluster with how deep it stands in text that runs the other way: odd is right to left. */
export type LevelledCluster = Cluster & { level: number };

/** An emoji's square, with a little air. */
const EMOJI_WIDTH = 1.16;

/** What is longer hardly comes twice. */
const LONGEST_WORD = 24;

const bidi = bidiFactory();
/** Scripts that fontkit writes from right to left by itself. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Which way a paragraph runs: as its first letter does. */
export function runsRightToLeft(text: string): boolean {
  const [, letter = ''] = /(\p{Letter})/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter);
}

/** How deep each character of a paragraph stands. */
export function levelsOf(text: string, isRightToLeft: boolean): Uint8Array {
  return bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr').levels;
}

/** A piece of a line as it is seen, from left to right. */
export function toVisualRuns(clusters: readonly LevelledCluster[]): Run[] {
  const groups: LevelledCluster[][] = [];
  for (const cluster of clusters) {
    if (cluster.ink === null) continue;
    const last = groups.at(-1);
    if (last && isWrittenTogether(last, cluster)) last.push(cluster);
    else groups.push([cluster]);
  }
  return inVisualOrder(groups).flatMap(toRun);
}

function isWrittenTogether(group: LevelledCluster[], next: LevelledCluster): boolean {
  const last = group.at(-1);
  if (last?.level !== next.level || last.isLoose) return false;
  // Digits of such a script: fontkit would turn them round, but a number reads left to right.
  if (next.level % 2 === 0 && RIGHT_TO_LEFT.test(next.text)) return false;
  return fontKey(last) !== null && fontKey(last) === fontKey(next);
}

function fontKey({ ink }: Cluster): string | null {
  return ink && 'font' in ink ? ink.font.key : null;
}

/** Rule L2 of the bidirectional algorithm: from the deepest level up, what is at least so deep is turned round. */
function inVisualOrder(groups: LevelledCluster[][]): LevelledCluster[][] {
  const ordered = [...groups];
  const levelAt = (index: number) => ordered[index]?.[0]?.level ?? 0;
  const deepest = Math.max(0, ...groups.map(([first]) => first?.level ?? 0));
  for (let level = deepest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && levelAt(end) >= level) end++;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return ordered;
}

function toRun(group: LevelledCluster[]): Run[] {
  const [first] = group;
  if (!first?.ink) return [];
  if ('emoji' in first.ink) return [{ width: EMOJI_WIDTH, emoji: first.ink.emoji }];
  const { font } = first.ink;
  const text = first.level % 2 === 1 ? rightToLeft(group) : group.map((each) => each.text).join('');
  return [{ font, text, width: widthIn(font, text) }];
}

/** Shaping takes its time, and the same words come again and again. */
function widthIn({ font, widths }: LoadedFont, text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  const width = font.layout(text).advanceWidth / font.unitsPerEm;
  if (text.length <= LONGEST_WORD) widths.set(text, width);
  return width;
}

/** Brackets face the other way. fontkit turns round what has letters of such a script; the rest is turned here. */
function rightToLeft(group: LevelledCluster[]): string {
  const texts = group.map(({ text }) => bidi.getMirroredCharacter(text) ?? text);
  return (texts.some((text) => RIGHT_TO_LEFT.test(text)) ? texts : texts.reverse()).join('');
}

export function widthOf(runs: Run[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}
