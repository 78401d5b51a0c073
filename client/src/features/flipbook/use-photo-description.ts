import type { Memory } from '#shared/memory';
import { imageDescription } from '../../lib/memory-text.ts';
import { usePet } from '../pets/pet-api.ts';

/** What a screen reader says for a memory's photo; names its pet as soon as that is known. */
export function usePhotoDescription(memory: Memory): string {
  return imageDescription(memory, usePet(memory.petId));
}
