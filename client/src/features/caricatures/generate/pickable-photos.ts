/** How many photos there are to choose from. */
export const MOST_PHOTOS = 15;

/** The newest ones; the chosen one stands before them when it is older, as one that was chosen elsewhere may be. */
export function pickablePhotos(ids: string[], chosenId: string | undefined): string[] {
  const newest = ids.slice(0, MOST_PHOTOS);
  if (chosenId === undefined || newest.includes(chosenId)) return newest;
  return [chosenId, ...newest.slice(0, MOST_PHOTOS - 1)];
}
