import type { Caricature, CaricatureArtistName } from '#shared/caricature';

/** Who made it, as it is told to people. */
export const generatorNames: Record<CaricatureArtistName, string> = {
  openai: 'AI-Generated',
  local: 'Cartoon filter',
};

/** Whether not all of them were made by whoever makes the next one, whom the heading names once that is known. */
export function isGeneratorShown(
  caricatures: Pick<Caricature, 'artist'>[],
  next: CaricatureArtistName | undefined,
): boolean {
  return caricatures.some(({ artist }) => artist !== next);
}
