import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';
import { suppressionEntries } from '../../platform/db/schema/album/contacts.ts';

type SuppressionEntryRow = typeof suppressionEntries.$inferSelect;

const TOKEN_BYTES = 24;

/** Finds or creates the entry of an address, and locks it until the transaction ends. */
export async function claimSuppressionEntry(
  tx: Tx,
  ownerId: string,
  email: string,
  now: Date,
): Promise<SuppressionEntryRow> {
  const [row] = await tx
    .insert(suppressionEntries)
    .values({
      id: uuidv7(),
      ownerId,
      addressHash: hashEmail(ownerId, email),
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: [suppressionEntries.ownerId, suppressionEntries.addressHash],
      // A no-op that locks and returns an existing row.
      set: { ownerId },
    })
    .returning();
  if (!row) throw new Error('The suppression entry was not returned');
  return row;
}

export async function markWelcomed(tx: Tx, id: string, now: Date): Promise<boolean> {
  const marked = await tx
    .update(suppressionEntries)
    .set({ welcomedAt: now })
    .where(and(eq(suppressionEntries.id, id), isNull(suppressionEntries.welcomedAt)))
    .returning({ id: suppressionEntries.id });
  return marked.length > 0;
}

/** Case-insensitive: in practice no two mailboxes differ only in case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function hashEmail(ownerId: string, email: string): string {
  return createHash('sha256').update(`${ownerId} ${email.toLowerCase()}`).digest('base64url');
}
