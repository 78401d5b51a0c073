import type { Memory } from '#shared/memory';

/** How many photos there are to choose from. */
export const MOST_PHOTOS = 15;

/** The newest ones; the chosen one stands before them when it is older, as one that was chosen elsewhere may be. */
export function pickablePhotos(memories: Memory[], chosen: Memory | null): Memory[] {
  const newest = memories.slice(0, MOST_PHOTOS);
  if (!chosen || newest.some(({ id }) => id === chosen.id)) return newest;
  return [chosen, ...newest.slice(0, MOST_PHOTOS - 1)];
}
