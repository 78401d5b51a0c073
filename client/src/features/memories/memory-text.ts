import type { Memory } from '#shared/memory';
import { longDate, longMemoryDate } from '../../lib/dates.ts';

/** What a screen reader says for the photo: its caption, else the day it belongs to. */
export function imageDescription(memory: Memory): string {
  if (memory.caption) return memory.caption;
  return `Photo of ${memory.memoryDate ? longMemoryDate(memory.memoryDate) : longDate(memory.createdAt)}`;
}
