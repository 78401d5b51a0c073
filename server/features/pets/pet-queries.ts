import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { pets } from '../../platform/db/schema/pets.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { SORTED_CHARACTERS, type PetCursor } from './pet-cursor.ts';

export type PetRow = typeof pets.$inferSelect;
export type NewPet = Omit<typeof pets.$inferInsert, 'id'>;
/** What an owner may change. */
export type PetChanges = Omit<NewPet, 'ownerId' | 'createdAt' | 'name' | 'species'> & {
  name?: string | undefined;
  species?: PetRow['species'] | undefined;
};

/** As people sort names: case and accents count only where nothing else differs. */
const sortedName = sql`(left(${pets.name}, ${sql.raw(String(SORTED_CHARACTERS))}) collate "und-x-icu")`;

/** By name; after the cursor, and at most so many, when given. */
export function listPets(
  db: Db,
  ownerId: string,
  page: { after: PetCursor | null; atMost: number | undefined },
): Promise<PetRow[]> {
  const query = db
    .select()
    .from(pets)
    .where(and(eq(pets.ownerId, ownerId), page.after ? isAfter(page.after) : undefined))
    .orderBy(sortedName, pets.id)
    .$dynamic();
  return page.atMost === undefined ? query : query.limit(page.atMost);
}

function isAfter(cursor: PetCursor) {
  return sql`(${sortedName}, ${pets.id}) > (${cursor.sortedName}::text, ${cursor.id}::uuid)`;
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function getPet(db: Db | Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(await db.select().from(pets).where(isOwn(ownerId, id)));
}

/** The same; until the transaction ends others may read it so too, and nobody may change it. */
export async function getPetToShare(tx: Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(await tx.select().from(pets).where(isOwn(ownerId, id)).for('share'));
}

/** The same, for who changes or deletes it: one at a time, and no memory is given to it meanwhile. */
export async function getPetToChange(tx: Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(await tx.select().from(pets).where(isOwn(ownerId, id)).for('update'));
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
  return orNotFound(await tx.update(pets).set(changes).where(isOwn(ownerId, id)).returning());
}

/** Its memories stay, without a pet. */
export async function deletePetRow(tx: Tx, ownerId: string, id: string): Promise<void> {
  await tx.delete(pets).where(isOwn(ownerId, id));
}

function orNotFound([row]: PetRow[]): PetRow {
  if (!row) throw new NotFoundError('This pet was not found.');
  return row;
}

function isOwn(ownerId: string, id: string) {
  return and(eq(pets.id, id), eq(pets.ownerId, ownerId));
}
