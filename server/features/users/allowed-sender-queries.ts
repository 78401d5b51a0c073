import { and, asc, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allowedSenders } from '../../platform/db/schema/inbound-emails.ts';

/** Addresses in lower case, by name. */
export async function listAllowedSenders(db: Db | Tx, ownerId: string): Promise<string[]> {
  const rows = await db
    .select({ address: allowedSenders.address })
    .from(allowedSenders)
    .where(eq(allowedSenders.ownerId, ownerId))
    .orderBy(asc(allowedSenders.address));
  return rows.map(({ address }) => address);
}

export async function isAllowedSender(db: Db | Tx, ownerId: string, address: string): Promise<boolean> {
  const rows = await db
    .select({ address: allowedSenders.address })
    .from(allowedSenders)
    .where(and(eq(allowedSenders.ownerId, ownerId), eq(allowedSenders.address, address)));
  return rows.length > 0;
}

export async function addAllowedSender(tx: Tx, ownerId: string, address: string): Promise<void> {
  await tx.insert(allowedSenders).values({ ownerId, address });
}

export async function replaceAllowedSenders(tx: Tx, ownerId: string, addresses: string[]): Promise<void> {
  await tx.delete(allowedSenders).where(eq(allowedSenders.ownerId, ownerId));
  if (addresses.length > 0)
    await tx.insert(allowedSenders).values(addresses.map((address) => ({ ownerId, address })));
}
