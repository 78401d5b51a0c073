import * as z from 'zod/mini';
import { InvalidError } from '../errors.ts';

/** Pets are sorted by so much of their names, so that a cursor stays short. */
export const SORTED_CHARACTERS = 200;

/** A place in the list by name: right after the pet of this name and id. */
export type PetCursor = { sortedName: string; id: string };

const Cursor = z.tuple([
  z.string().check(z.refine((name) => name.isWellFormed() && !name.includes('\0'))),
  z.uuid(),
]);

export function formatPetCursor({ name, id }: { name: string; id: string }): string {
  const sortedName = [...name].slice(0, SORTED_CHARACTERS).join('');
  return Buffer.from(JSON.stringify([sortedName, id])).toString('base64url');
}

/** @throws InvalidError for a cursor that no page gave */
export function parsePetCursor(text: string): PetCursor {
  const parsed = z.safeParse(Cursor, parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success) {
    const message = 'cursor must be the one that the last page gave';
    throw new InvalidError(message, { cursor: message });
  }
  const [sortedName, id] = parsed.data;
  return { sortedName, id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
