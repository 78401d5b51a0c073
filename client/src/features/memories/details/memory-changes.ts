import { splitMemoryDate } from '#shared/calendar-date';
import type { Memory } from '#shared/memory';
import { parseTags } from '#shared/tags';
import type { MemoryFormValues } from '../form/memory-form.ts';

/** Changes as the server takes them: what is not named stays. */
export interface MemoryChanges extends Partial<
  Pick<Memory, 'isLiked' | 'caption' | 'tags' | 'petId' | 'memoryDate'>
> {
  /** A date without a time keeps the time that is there; this takes it out. */
  memoryTime?: null;
}

/** What the form changes. */
type Described = Pick<Memory, 'caption' | 'tags' | 'petId' | 'memoryDate'>;

export interface MemoryEdit {
  /** The memory as the form was opened with it: it may have been changed elsewhere since. */
  before: Described;
  values: MemoryFormValues;
}

export function editOf(memory: Memory): MemoryEdit {
  return { before: memory, values: toFormValues(memory) };
}

export function toFormValues({ caption, tags, petId, memoryDate }: Described): MemoryFormValues {
  const { day, time } = splitMemoryDate(memoryDate ?? '');
  return {
    caption: caption ?? '',
    tags: tags.join(', '),
    petId: petId ?? '',
    memoryDate: day,
    memoryTime: time ?? '',
  };
}

/** What the person changed in the form and nothing else; null when that is nothing. */
export function changesIn({ before: described, values }: MemoryEdit): MemoryChanges | null {
  const before = toFormValues(described);
  const changes: MemoryChanges = dateChanges(before, values);
  if (values.caption.trim() !== before.caption.trim()) changes.caption = values.caption.trim() || null;
  if (values.tags !== before.tags) {
    const tags = parseTags(values.tags);
    if (!isSame(tags, described.tags)) changes.tags = tags;
  }
  if (values.petId !== before.petId) changes.petId = values.petId || null;
  return Object.keys(changes).length > 0 ? changes : null;
}

function dateChanges(before: MemoryFormValues, { memoryDate, memoryTime }: MemoryFormValues): MemoryChanges {
  const isOtherDay = memoryDate !== before.memoryDate;
  if (!memoryDate) return isOtherDay ? { memoryDate: null } : {};
  if (memoryTime === before.memoryTime) return isOtherDay ? { memoryDate } : {};
  if (memoryTime) return { memoryDate: `${memoryDate}T${memoryTime}` };
  return { ...(isOtherDay && { memoryDate }), memoryTime: null };
}

/** The memory as it is once the server has made the changes. */
export function withChanges(memory: Memory, changes: MemoryChanges): Memory {
  const { memoryTime, memoryDate = memory.memoryDate, ...rest } = changes;
  return { ...memory, ...rest, memoryDate: memoryDate && dateWithTime(memory, memoryDate, memoryTime) };
}

function dateWithTime(memory: Memory, memoryDate: string, memoryTime: null | undefined): string {
  const { day, time } = splitMemoryDate(memoryDate);
  if (memoryTime === null) return day;
  const kept = time ?? splitMemoryDate(memory.memoryDate ?? '').time;
  return kept ? `${day}T${kept}` : day;
}

function isSame(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
