import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod/mini';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { pets } from '../../platform/db/schema/pets.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { ALL_ROWS, defineCursor, type PageRange } from '../../platform/pagination.ts';

export type PetRow = typeof pets.$inferSelect;
export type NewPet = Omit<typeof pets.$inferInsert, 'id'>;
/** What an owner may change. */
export type PetChanges = Omit<NewPet, 'ownerId' | 'createdAt' | 'name' | 'species'> & {
  name?: string | undefined;
  species?: PetRow['species'] | undefined;
};

/** Only the beginning of a name counts in the order, so that a cursor stays short. */
const SORTED_CHARACTERS = 200;

/** As people sort names: case and accents count only where nothing else differs. */
const sortedName = sql`(left(${pets.name}, ${sql.raw(String(SORTED_CHARACTERS))}) collate "und-x-icu")`;

export type PetCursor = { sortedName: string; id: string };

const StorableText = z.string().check(z.refine((name) => name.isWellFormed() && !name.includes('\0')));

export const petCursor = defineCursor(
  z.tuple([StorableText, z.uuid()]),
  ({ name, id }: { name: string; id: string }) => [[...name].slice(0, SORTED_CHARACTERS).join(''), id],
  ([sortedName, id]): PetCursor => ({ sortedName, id }),
);

/** By name. */
export function listPets(db: Db, ownerId: string, page: PageRange<PetCursor> = ALL_ROWS): Promise<PetRow[]> {
  return db
    .select()
    .from(pets)
    .where(and(eq(pets.ownerId, ownerId), page.after ? isAfter(page.after) : undefined))
    .orderBy(sortedName, pets.id)
    .limit(page.maxRows);
}

function isAfter(cursor: PetCursor) {
  return sql`(${sortedName}, ${pets.id}) > (${cursor.sortedName}::text, ${cursor.id}::uuid)`;
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function getPet(db: Db | Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(
    await db
      .select()
      .from(pets)
      .where(ownedBy(pets, ownerId, id)),
  );
}

/** The same; until the transaction ends others may read it so too, and nobody may change it. */
export async function getPetToShare(tx: Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(
    await tx
      .select()
      .from(pets)
      .where(ownedBy(pets, ownerId, id))
      .for('share'),
  );
}

/** The same, for who changes or deletes it: one at a time, and no memory is given to it meanwhile. */
export async function getPetToChange(tx: Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(
    await tx
      .select()
      .from(pets)
      .where(ownedBy(pets, ownerId, id))
      .for('update'),
  );
}

/** All of an owner's, in the order in which they came; none is renamed or deleted before the transaction ends. */
export function listPetsToShare(tx: Tx, ownerId: string): Promise<{ id: string; name: string }[]> {
  return tx
    .select({ id: pets.id, name: pets.name })
    .from(pets)
    .where(eq(pets.ownerId, ownerId))
    .orderBy(pets.createdAt, pets.id)
    .for('share');
}

export async function insertPet(tx: Tx, pet: NewPet): Promise<PetRow> {
  const rows = await tx
    .insert(pets)
    .values({ id: uuidv7(), ...pet })
    .returning();
  return orNotFound(rows);
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function updatePetRow(
  tx: Tx,
  ownerId: string,
  id: string,
  changes: PetChanges,
): Promise<PetRow> {
  return orNotFound(
    await tx
      .update(pets)
      .set(changes)
      .where(ownedBy(pets, ownerId, id))
      .returning(),
  );
}

/** Its memories stay, without a pet. */
export async function deletePetRow(tx: Tx, ownerId: string, id: string): Promise<void> {
  await tx.delete(pets).where(ownedBy(pets, ownerId, id));
}

function orNotFound([row]: PetRow[]): PetRow {
  if (!row) throw new NotFoundError('This pet was not found.');
  return row;
}
