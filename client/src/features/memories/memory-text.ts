import type { Memory } from '#shared/memory';
import { longDate, longMemoryDate, memoryTime } from '../../lib/dates.ts';

/** What a screen reader says for the photo: its caption, else the day it belongs to. */
export function imageDescription(memory: Memory): string {
  if (memory.caption) return memory.caption;
  return `Photo of ${memory.memoryDate ? longMemoryDate(memory.memoryDate) : longDate(memory.createdAt)}`;
}

/** What a tag list is called where there is none. */
const NO_STORY = 'A moment worth keeping, just as it was.';

/** 'The Story': the tags between bullets. */
export function storyOf({ tags }: Memory): string {
  return tags.length > 0 ? tags.join(' • ') : NO_STORY;
}

/** 'When': the day it happened, with its time if that was written; else the day it was added. */
export function whenOf({ memoryDate, createdAt }: Memory): string {
  if (!memoryDate) return longDate(createdAt);
  const time = memoryTime(memoryDate);
  return time ? `${longMemoryDate(memoryDate)} at ${time}` : longMemoryDate(memoryDate);
}
