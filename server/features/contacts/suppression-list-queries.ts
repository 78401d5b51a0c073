import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';
import { recipients } from '../../platform/db/schema/contacts.ts';

export type RecipientRow = typeof recipients.$inferSelect;

const TOKEN_BYTES = 24;

/** An address in the eyes of one owner, as it was left; made when it is new to them. Locked until the transaction ends. */
export async function claimRecipient(
  tx: Tx,
  ownerId: string,
  email: string,
  now: Date,
): Promise<RecipientRow> {
  const [row] = await tx
    .insert(recipients)
    .values({
      id: uuidv7(),
      ownerId,
      addressHash: hashAddress(ownerId, email),
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: [recipients.ownerId, recipients.addressHash],
      // Nothing changes; but so the row is locked, and returned.
      set: { ownerId },
    })
    .returning();
  if (!row) throw new Error('The recipient was not returned');
  return row;
}

/** False when this was so before. */
export async function markWelcomed(tx: Tx, id: string, now: Date): Promise<boolean> {
  const marked = await tx
    .update(recipients)
    .set({ welcomedAt: now })
    .where(and(eq(recipients.id, id), isNull(recipients.welcomedAt)))
    .returning({ id: recipients.id });
  return marked.length > 0;
}

/** Mailboxes whose addresses differ in case alone are practically unknown: the case is ignored. */
export function isSameAddress(one: string, other: string): boolean {
  return normalize(one) === normalize(other);
}

function hashAddress(ownerId: string, email: string): string {
  return createHash('sha256')
    .update(`${ownerId} ${normalize(email)}`)
    .digest('base64url');
}

function normalize(email: string): string {
  return email.toLowerCase();
}
