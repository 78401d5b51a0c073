import type { Memory } from '#shared/album/memory';
import { joinMemoryDate, splitMemoryDate } from '#shared/dates/calendar-date';
import { parseTags } from '#shared/text/tags';
import type { MemoryFormValues } from '../form/memory-form-values.ts';

/** A PATCH of a memory: absent fields stay. */
export interface MemoryChanges extends Partial<
  Pick<Memory, 'isLiked' | 'caption' | 'tags' | 'petId' | 'memoryDate'>
> {
  /** Removes the time. A date without a time keeps the existing one. */
  memoryTime?: null;
}

type FormFields = Pick<Memory, 'caption' | 'tags' | 'petId' | 'memoryDate'>;

export interface MemoryEdit {
  /** The memory when the form was opened. It may have changed elsewhere since. */
  before: FormFields;
  values: MemoryFormValues;
}

export function startEdit(memory: Memory): MemoryEdit {
  return { before: memory, values: toFormValues(memory) };
}

export function toFormValues({ caption, tags, petId, memoryDate }: FormFields): MemoryFormValues {
  const { day, time } = splitMemoryDate(memoryDate ?? '');
  return {
    caption: caption ?? '',
    tags: tags.join(', '),
    petId: petId ?? '',
    memoryDate: day,
    memoryTime: time ?? '',
  };
}

/** The fields that were changed in the form; null if there are none. */
export function getChanges({ before: memory, values }: MemoryEdit): MemoryChanges | null {
  const before = toFormValues(memory);
  const changes: MemoryChanges = dateChanges(before, values);
  if (values.caption.trim() !== before.caption.trim()) changes.caption = values.caption.trim() || null;
  if (values.tags !== before.tags) {
    const tags = parseTags(values.tags);
    if (!isEqual(tags, memory.tags)) changes.tags = tags;
  }
  if (values.petId !== before.petId) changes.petId = values.petId || null;
  return Object.keys(changes).length > 0 ? changes : null;
}

function dateChanges(before: MemoryFormValues, { memoryDate, memoryTime }: MemoryFormValues): MemoryChanges {
  const hasOtherDay = memoryDate !== before.memoryDate;
  if (!memoryDate) return hasOtherDay ? { memoryDate: null } : {};
  if (memoryTime === before.memoryTime) return hasOtherDay ? { memoryDate } : {};
  if (memoryTime) return { memoryDate: joinMemoryDate(memoryDate, memoryTime) };
  return { ...(hasOtherDay && { memoryDate }), memoryTime: null };
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

function isEqual(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
