import type { Memory } from '#shared/album/memory';

export const UNTITLED_MEM = 'Untitled Mem';
export const MAX_TITLE_LENGTH = 90;

/** Names dialogs, buttons and links: the caption, shortened. */
export function memoryTitle({ caption }: Memory): string {
  return caption ? truncateText(caption, MAX_TITLE_LENGTH) : UNTITLED_MEM;
}

/** Joins lines and cuts at a space if there is one. Counts code points, so that no emoji is cut in two. */
export function truncateText(text: string, maxLength: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= maxLength) return characters.join('');
  const start = characters.slice(0, maxLength).join('');
  const lastSpace = start.lastIndexOf(' ');
  return `${lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start}…`;
}
