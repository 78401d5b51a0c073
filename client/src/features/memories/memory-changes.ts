import type { Memory } from '#shared/memory';
import { parseTags } from '#shared/tags';
import type { MemoryChanges } from './memory-api.ts';

/** A memory's words as they stand in the edit form. */
export interface MemoryWords {
  caption: string;
  /** Separated by commas. */
  tags: string;
}

export function wordsOf({ caption, tags }: Memory): MemoryWords {
  return { caption: caption ?? '', tags: tags.join(', ') };
}

/** What was changed in the form and nothing else; null when that is nothing. */
export function changesIn(memory: Memory, words: MemoryWords): MemoryChanges | null {
  const before = wordsOf(memory);
  const changes: MemoryChanges = {};
  if (words.caption.trim() !== before.caption.trim()) changes.caption = words.caption.trim() || null;
  if (words.tags !== before.tags) {
    const tags = parseTags(words.tags);
    if (!isSame(tags, memory.tags)) changes.tags = tags;
  }
  return Object.keys(changes).length > 0 ? changes : null;
}

function isSame(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
