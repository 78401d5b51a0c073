import type { CaricatureArtistName } from '#shared/caricature';

/** Who made it, as it is told to people. */
export const artistNames: Record<CaricatureArtistName, string> = {
  openai: 'AI-Generated',
  local: 'Cartoon filter',
};
