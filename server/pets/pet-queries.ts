import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../db/database.ts';
import { pets } from '../db/schema/pets.ts';
import { NotFoundError } from '../errors.ts';

export type PetRow = typeof pets.$inferSelect;

/** @throws NotFoundError when it is not there or not this owner's */
export async function getPet(db: Db | Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(await db.select().from(pets).where(isOwn(ownerId, id)));
}

/** The same; until the transaction ends others may read it so too, and nobody may change it. */
export async function getPetToShare(tx: Tx, ownerId: string, id: string): Promise<PetRow> {
  return orNotFound(await tx.select().from(pets).where(isOwn(ownerId, id)).for('share'));
}

function orNotFound([row]: PetRow[]): PetRow {
  if (!row) throw new NotFoundError('This pet was not found.');
  return row;
}

function isOwn(ownerId: string, id: string) {
  return and(eq(pets.id, id), eq(pets.ownerId, ownerId));
}
