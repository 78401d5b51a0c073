import type { Memory } from '#shared/album/memory';
import { joinMemoryDate, splitMemoryDate } from '#shared/dates/calendar-date';
import { parseTags } from '#shared/text/tags';
import type { MemoryChanges } from '../store/memory-changes.ts';
import type { MemoryFormValues } from './memory-form-values.ts';

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

function isEqual(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
