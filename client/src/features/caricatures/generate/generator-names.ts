import type { Caricature, CaricatureGeneratorName } from '#shared/album/caricature';

export const generatorNames: Record<CaricatureGeneratorName, string> = {
  openai: 'AI-Generated',
  local: 'Cartoon filter',
};

/** Cards name their generator only if one differs from the current generator, which the heading names. */
export function isGeneratorShown(
  caricatures: Pick<Caricature, 'artist'>[],
  next: CaricatureGeneratorName | undefined,
): boolean {
  return caricatures.some(({ artist }) => artist !== next);
}
