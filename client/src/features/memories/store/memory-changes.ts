import type { Memory } from '#shared/album/memory';
import { joinMemoryDate, splitMemoryDate } from '#shared/dates/calendar-date';

/** A PATCH of a memory: absent fields stay. */
export interface MemoryChanges extends Partial<
  Pick<Memory, 'isLiked' | 'caption' | 'tags' | 'petId' | 'memoryDate'>
> {
  /** Removes the time. A date without a time keeps the existing one. */
  memoryTime?: null;
}

/** Applies changes as the server does. */
export function applyChanges(memory: Memory, changes: MemoryChanges): Memory {
  const { memoryTime, memoryDate = memory.memoryDate, ...rest } = changes;
  return { ...memory, ...rest, memoryDate: memoryDate && dateWithTime(memory, memoryDate, memoryTime) };
}

function dateWithTime(memory: Memory, memoryDate: string, memoryTime: null | undefined): string {
  const { day, time } = splitMemoryDate(memoryDate);
  if (memoryTime === null) return day;
  const newTime = time ?? splitMemoryDate(memory.memoryDate ?? '').time;
  return joinMemoryDate(day, newTime);
}
