import type { Caricature, CaricatureGeneratorName } from '#shared/caricature';

export const generatorNames: Record<CaricatureGeneratorName, string> = {
  openai: 'AI-Generated',
  local: 'Cartoon filter',
};

/** Cards show the generator only if one was made by another than the current generator, which the heading names. */
export function isGeneratorShown(
  caricatures: Pick<Caricature, 'artist'>[],
  next: CaricatureGeneratorName | undefined,
): boolean {
  return caricatures.some(({ artist }) => artist !== next);
}
