import { formatMemoryDate } from '#shared/calendar-date';
import type { Memory } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { formatLongDate, formatLongMemoryDate } from './dates.ts';

/** As much of a caption as a name can carry: of a dialog, a button, a picture. */
const NAME_LENGTH = 90;

/** What a memory is called: its caption, or how that begins. */
export function nameOf({ caption }: Memory): string {
  return caption ? excerptOf(caption, NAME_LENGTH) : 'Untitled Mem';
}

/** Whether a caption is more than a name: too long for one, or written in paragraphs. */
export function isStory(memory: Memory): memory is Memory & { caption: string } {
  return !!memory.caption && memory.caption.trim() !== nameOf(memory);
}

/** What a screen reader says for the photo: its name, else whom it shows and the day it belongs to. */
export function imageDescription(memory: Memory, pet?: Pick<Pet, 'name'>): string {
  if (memory.caption) return nameOf(memory);
  const day = memory.memoryDate ? formatLongMemoryDate(memory.memoryDate) : formatLongDate(memory.createdAt);
  return pet ? `Photo of ${excerptOf(pet.name, NAME_LENGTH)}, ${day}` : `Photo of ${day}`;
}

/** How a text begins, on one line and cut between words where it has any; the whole of a short one. */
export function excerptOf(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= length) return characters.join('');
  const beginning = characters.slice(0, length).join('');
  const lastSpace = beginning.lastIndexOf(' ');
  return `${lastSpace > beginning.length / 2 ? beginning.slice(0, lastSpace) : beginning}…`;
}

/** What a tag list is called where there is none. */
const NO_STORY = 'A moment worth keeping, just as it was.';

/** 'The Story': the tags between bullets. */
export function storyOf({ tags }: Memory): string {
  return tags.length > 0 ? tags.join(' • ') : NO_STORY;
}

/** 'When': the day it happened, with its time if that was written; else the day it was added. */
export function whenOf({ memoryDate, createdAt }: Memory): string {
  return memoryDate ? formatMemoryDate(memoryDate) : formatLongDate(createdAt);
}
