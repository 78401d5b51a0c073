import type { Memory } from '#shared/memory';
import { parseTags } from '#shared/tags';
import type { MemoryChanges } from './memory-api.ts';

/** A memory's words as they stand in the edit form. */
export interface MemoryWords {
  caption: string;
  /** Separated by commas. */
  tags: string;
}

type Written = Pick<Memory, 'caption' | 'tags'>;

export interface MemoryEdit {
  /** The memory as the form was opened with it: it may have been changed elsewhere since. */
  before: Written;
  words: MemoryWords;
}

export function editOf(memory: Memory): MemoryEdit {
  return { before: memory, words: wordsOf(memory) };
}

function wordsOf({ caption, tags }: Written): MemoryWords {
  return { caption: caption ?? '', tags: tags.join(', ') };
}

/** What the person changed in the form and nothing else; null when that is nothing. */
export function changesIn({ before: written, words }: MemoryEdit): MemoryChanges | null {
  const before = wordsOf(written);
  const changes: MemoryChanges = {};
  if (words.caption.trim() !== before.caption.trim()) changes.caption = words.caption.trim() || null;
  if (words.tags !== before.tags) {
    const tags = parseTags(words.tags);
    if (!isSame(tags, written.tags)) changes.tags = tags;
  }
  return Object.keys(changes).length > 0 ? changes : null;
}

function isSame(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
