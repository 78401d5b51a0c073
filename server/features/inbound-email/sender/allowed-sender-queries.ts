import { and, asc, eq } from 'drizzle-orm';
import { MAX_ALLOWED_SENDERS } from '#shared/transfers/inbound-email';
import type { AppContext } from '../../../platform/context.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { allowedSenders } from '../../../platform/db/schema/transfers/inbound-emails.ts';
import { ConflictError } from '../../../platform/errors.ts';
import { rejectInstallationAddress } from '../../accounts/users/inbound-email-address.ts';
import { lockUserRow, type UserRow } from '../../accounts/users/user-queries.ts';

/** Each change emails the owner. */
export const TOO_MANY_CHANGES = 'You have changed this too often.';
const LIST_IS_FULL = `${MAX_ALLOWED_SENDERS} addresses may send already, which is the limit. Remove one under “Who may send”, or accept only this email.`;

/** Addresses in lower case, in alphabetical order. */
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

/** @returns the owner, if the address was added */
export async function allowSender(
  { config }: Pick<AppContext, 'config'>,
  tx: Tx,
  ownerId: string,
  address: string,
): Promise<UserRow | null> {
  rejectInstallationAddress(config, address, 'allowSender');
  // Concurrent additions would exceed the limit.
  const owner = await lockUserRow(tx, ownerId);
  const allowed = await listAllowedSenders(tx, ownerId);
  if (allowed.includes(address)) return null;
  if (allowed.length >= MAX_ALLOWED_SENDERS)
    throw new ConflictError(LIST_IS_FULL, { allowSender: LIST_IS_FULL });
  await addAllowedSender(tx, ownerId, address);
  return owner;
}

export async function addAllowedSender(tx: Tx, ownerId: string, address: string): Promise<void> {
  await tx.insert(allowedSenders).values({ ownerId, address });
}

export async function replaceAllowedSenders(tx: Tx, ownerId: string, addresses: string[]): Promise<void> {
  await tx.delete(allowedSenders).where(eq(allowedSenders.ownerId, ownerId));
  if (addresses.length > 0)
    await tx.insert(allowedSenders).values(addresses.map((address) => ({ ownerId, address })));
}
