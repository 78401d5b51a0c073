import type { Caricature, CaricatureGeneratorName } from '#shared/caricature';

/** Who made it, as it is told to people. */
export const generatorNames: Record<CaricatureGeneratorName, string> = {
  openai: 'AI-Generated',
  local: 'Cartoon filter',
};

/** Whether not all of them were made by whoever makes the next one, whom the heading names once that is known. */
export function isGeneratorShown(
  caricatures: Pick<Caricature, 'artist'>[],
  next: CaricatureGeneratorName | undefined,
): boolean {
  return caricatures.some(({ artist }) => artist !== next);
}
