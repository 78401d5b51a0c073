import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { formatMemoryDate } from '#shared/dates/calendar-date';
import { formatLongDate, formatLongMemoryDate } from '../../lib/dates.ts';
import { MAX_TITLE_LENGTH, memoryTitle, truncateText } from '../../lib/memory-title.ts';
import { usePet } from '../pets/pet-api.ts';

export const MEMORY_NOT_LOADED = 'This memory could not be loaded.';

/** The caption is too long for a title, or has line breaks. */
export function hasLongCaption(memory: Memory): memory is Memory & { caption: string } {
  return !!memory.caption && memory.caption.trim() !== memoryTitle(memory);
}

export function imageDescription(memory: Memory, pet?: Pick<Pet, 'name'>): string {
  if (memory.caption) return memoryTitle(memory);
  const day = memory.memoryDate ? formatLongMemoryDate(memory.memoryDate) : formatLongDate(memory.createdAt);
  return pet ? `Photo of ${truncateText(pet.name, MAX_TITLE_LENGTH)}, ${day}` : `Photo of ${day}`;
}

/** Names the pet once it is loaded. */
export const useImageDescription = (memory: Memory) => imageDescription(memory, usePet(memory.petId));

/** 'The Story' of a memory without tags. */
export const NO_STORY = 'A moment worth keeping, just as it was.';

/** 'When': the memory date with its time, else the day it was added. */
export function whenText({ memoryDate, createdAt }: Memory): string {
  return memoryDate ? formatMemoryDate(memoryDate) : formatLongDate(createdAt);
}
