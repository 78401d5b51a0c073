import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod/mini';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { fitsOnPage, foundRows, pageColumns } from '../../platform/db/page-columns.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { defineCursor, MAX_PAGE_ROWS } from '../../platform/pagination.ts';

export type PetRow = typeof pets.$inferSelect;
type NewPet = Omit<typeof pets.$inferInsert, 'id'> & { id?: string };
export type PetChanges = Omit<NewPet, 'id' | 'ownerId' | 'createdAt' | 'name' | 'species'> & {
  name?: string | undefined;
  species?: PetRow['species'] | undefined;
};

/** Only the beginning of a name counts in the order, so that a cursor stays short. */
const SORTED_CHARACTERS = 200;

/** Collated by ICU: case and accents only break ties. */
const sortedName = sql`(left(${pets.name}, ${sql.raw(String(SORTED_CHARACTERS))}) collate "und-x-icu")`;

type PetCursor = { sortedName: string; id: string };

const StorableText = z.string().check(z.refine((name) => name.isWellFormed() && !name.includes('\0')));

export const petCursor = defineCursor(
  z.tuple([StorableText, z.uuid()]),
  ({ name, id }: { name: string; id: string }) => [[...name].slice(0, SORTED_CHARACTERS).join(''), id],
  ([sortedName, id]): PetCursor => ({ sortedName, id }),
);

export function listPets(db: Db, ownerId: string): Promise<PetRow[]> {
  return db.select().from(pets).where(eq(pets.ownerId, ownerId)).orderBy(sortedName, pets.id);
}

export function listPetPage(
  db: Db,
  ownerId: string,
  { after, limit = MAX_PAGE_ROWS }: { after: PetCursor | null; limit: number | undefined },
): Promise<(PetRow & { foundRows: number })[]> {
  const { name, breed, age, weight, description } = pets;
  // Of each column, which does not read it; a text that joins them would.
  const sizes = [name, breed, age, weight, description].map(
    (column) => sql`coalesce(octet_length(${column}), 0)`,
  );
  const textBytes = sql.join(sizes, sql` + `);
  const found = db
    .select({
      ...getTableColumns(pets),
      ...pageColumns(textBytes, sql`${sortedName}, ${pets.id}`),
      foundRows,
    })
    .from(pets)
    .where(and(eq(pets.ownerId, ownerId), after ? isAfter(after) : undefined))
    .as('found');
  return db.select().from(found).where(fitsOnPage(found)).orderBy(found.nth).limit(limit);
}

function isAfter(cursor: PetCursor) {
  return sql`(${sortedName}, ${pets.id}) > (${cursor.sortedName}::text, ${cursor.id}::uuid)`;
}

/** A 'share' lock protects the name until the transaction ends; 'update' also blocks new memories of the pet. */
export async function getPet(
  db: Db | Tx,
  ownerId: string,
  id: string,
  lock?: 'share' | 'update',
): Promise<PetRow> {
  const isId = z.safeParse(z.uuid(), id).success;
  const query = db
    .select()
    .from(pets)
    .where(isId ? ownedBy(pets, ownerId, id) : sql`false`);
  return orNotFound(await (lock ? query.for(lock) : query));
}

/** All of an owner's pets, oldest first. Their names do not change until the transaction ends. */
export function listPetsToShare(tx: Tx, ownerId: string): Promise<{ id: string; name: string }[]> {
  return tx
    .select({ id: pets.id, name: pets.name })
    .from(pets)
    .where(eq(pets.ownerId, ownerId))
    .orderBy(pets.createdAt, pets.id)
    .for('share');
}

export function countPets(db: Db | Tx, ownerId: string): Promise<number> {
  return db.$count(pets, eq(pets.ownerId, ownerId));
}

export async function insertPet(tx: Tx, pet: NewPet): Promise<PetRow> {
  const rows = await tx
    .insert(pets)
    .values({ id: uuidv7(), ...pet })
    .returning();
  return orNotFound(rows);
}

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

export async function deletePetRow(tx: Tx, ownerId: string, id: string): Promise<void> {
  await tx.delete(pets).where(ownedBy(pets, ownerId, id));
}

function orNotFound([row]: PetRow[]): PetRow {
  if (!row) throw new NotFoundError('This pet was not found.');
  return row;
}
