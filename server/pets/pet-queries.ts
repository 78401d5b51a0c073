import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../db/database.ts';
import { pets } from '../db/schema/pets.ts';
import { NotFoundError } from '../errors.ts';

export type PetRow = typeof pets.$inferSelect;

/** @throws NotFoundError when it is not there or not this owner's */
export async function getPet(db: Db | Tx, ownerId: string, id: string): Promise<PetRow> {
  const [row] = await db
    .select()
    .from(pets)
    .where(and(eq(pets.id, id), eq(pets.ownerId, ownerId)));
  if (!row) throw new NotFoundError('This pet was not found.');
  return row;
}
