import type { Caricature } from '#shared/caricature';
import type { Pet } from '#shared/pet';

/** Whom it shows. */
export function petNameOf({ petId }: Pick<Caricature, 'petId'>, pets: Pet[]): string {
  return pets.find(({ id }) => id === petId)?.name ?? 'Your Pet';
}
