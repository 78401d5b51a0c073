import bidiFactory from 'bidi-js';
import type { Cluster } from './grapheme-clusters.ts';
import type { Emoji } from './emoji-library.ts';
import type { LoadedFont } from './font-library.ts';

/** A part of a line with one font, in visual order. Its width is in ems. */
export type Run = { width: number } & ({ font: LoadedFont; text: string } | { emoji: Emoji });

/** With its bidi embedding level; odd levels are right to left. */
export type LevelledCluster = Cluster & { level: number };

/** In ems, with side bearings. */
const EMOJI_WIDTH = 1.16;

/** Longer texts rarely repeat, so their widths are not cached. */
const MAX_CACHED_LENGTH = 24;

const bidi = bidiFactory();
/** Scripts that fontkit reverses. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of a paragraph is that of its first letter. */
export function isRightToLeftText(text: string): boolean {
  const [, letter = ''] = /(\p{Letter})/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter);
}

export function embeddingLevels(text: string, isRightToLeft: boolean): Uint8Array {
  return bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr').levels;
}

export function toVisualRuns(clusters: readonly LevelledCluster[]): Run[] {
  const groups: LevelledCluster[][] = [];
  for (const cluster of clusters) {
    if (cluster.glyphs === null) continue;
    const last = groups.at(-1);
    if (last && belongsToGroup(last, cluster)) last.push(cluster);
    else groups.push([cluster]);
  }
  return reorder(groups).flatMap(toRun);
}

function belongsToGroup(group: LevelledCluster[], next: LevelledCluster): boolean {
  const last = group.at(-1);
  if (last?.level !== next.level || last.isNonJoining) return false;
  // Numbers read left to right, but fontkit would reverse the digits of these scripts.
  if (next.level % 2 === 0 && RIGHT_TO_LEFT.test(next.text)) return false;
  return fontKey(last) !== null && fontKey(last) === fontKey(next);
}

function fontKey({ glyphs }: Cluster): string | null {
  return glyphs && 'font' in glyphs ? glyphs.font.key : null;
}

/** Rule L2 of the Unicode bidirectional algorithm (UAX 9). */
function reorder(groups: LevelledCluster[][]): LevelledCluster[][] {
  const ordered = [...groups];
  const levelAt = (index: number) => ordered[index]?.[0]?.level ?? 0;
  const maxLevel = Math.max(0, ...groups.map(([first]) => first?.level ?? 0));
  for (let level = maxLevel; level > 0; level--) {
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
  if (!first?.glyphs) return [];
  if ('emoji' in first.glyphs) return [{ width: EMOJI_WIDTH, emoji: first.glyphs.emoji }];
  const { font } = first.glyphs;
  const text = first.level % 2 === 1 ? toRightToLeftText(group) : group.map((each) => each.text).join('');
  return [{ font, text, width: measure(font, text) }];
}

/** Cached, since shaping is slow and words repeat. */
function measure({ font, widths }: LoadedFont, text: string): number {
  const cached = widths.get(text);
  if (cached !== undefined) return cached;
  const width = font.layout(text).advanceWidth / font.unitsPerEm;
  if (text.length <= MAX_CACHED_LENGTH) widths.set(text, width);
  return width;
}

/** Mirrors brackets, and reverses runs that fontkit does not reverse (see RIGHT_TO_LEFT). */
function toRightToLeftText(group: LevelledCluster[]): string {
  const texts = group.map(({ text }) => bidi.getMirroredCharacter(text) ?? text);
  return (texts.some((text) => RIGHT_TO_LEFT.test(text)) ? texts : texts.reverse()).join('');
}

export function widthOf(runs: Run[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}
