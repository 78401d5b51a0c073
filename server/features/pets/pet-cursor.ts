import * as z from 'zod/mini';
import { defineCursor } from '../../platform/pagination.ts';

/** Pets are sorted by so much of their names, so that a cursor stays short. */
export const SORTED_CHARACTERS = 200;

/** A place in the list by name: right after the pet of this name and id. */
export type PetCursor = { sortedName: string; id: string };

const StorableText = z.string().check(z.refine((name) => name.isWellFormed() && !name.includes('\0')));

export const petCursors = defineCursor(
  z.tuple([StorableText, z.uuid()]),
  ({ name, id }: { name: string; id: string }) => [[...name].slice(0, SORTED_CHARACTERS).join(''), id],
  ([sortedName, id]): PetCursor => ({ sortedName, id }),
);
