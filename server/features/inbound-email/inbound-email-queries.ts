import { and, asc, eq, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inboundEmails } from '../../platform/db/schema/transfers/inbound-emails.ts';

export type InboundEmailRow = typeof inboundEmails.$inferSelect;
type Envelope = Pick<InboundEmailRow, 'envelopeSender' | 'spfDomain'>;

/** How long held email waits for its owner, and how long received email is recognized when it is sent again. */
export const EMAIL_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

export function emailKey(id: string): string {
  return `inbound-mail/${id}`;
}

/** Called before its bytes are stored, so that the purge finds them after a crash. */
export async function insertArrivingEmail(
  db: Db,
  ownerId: string,
  envelope: Envelope,
  now: Date,
): Promise<string> {
  const id = uuidv7();
  const row = { id, ownerId, ...envelope, isStored: true, status: 'arriving' as const };
  await db.insert(inboundEmails).values({ ...row, nextAttemptAt: now, createdAt: now });
  return id;
}

/** @throws a unique violation of inbound_emails_once for bytes that were received before */
export async function markEmailReceived(
  tx: Tx,
  ownerId: string,
  id: string,
  { sha256, messageId, byteSize }: { sha256: string; messageId: string | null; byteSize: number },
): Promise<void> {
  const marked = await tx
    .update(inboundEmails)
    .set({ status: 'received', sha256, messageId, byteSize })
    .where(and(ownedBy(inboundEmails, ownerId, id), eq(inboundEmails.status, 'arriving')))
    .returning({ id: inboundEmails.id });
  if (marked.length === 0) throw new Error('An email took so long to arrive that it was purged');
}

/** Rejects it, so that its bytes can be deleted. False when it was received or accepted before. */
export async function abandonEmail(
  db: Db,
  { ownerId, id }: Pick<InboundEmailRow, 'ownerId' | 'id'>,
): Promise<boolean> {
  const abandoned = await db
    .update(inboundEmails)
    .set({ status: 'rejected' })
    .where(and(ownedBy(inboundEmails, ownerId, id), inArray(inboundEmails.status, ['arriving', 'waiting'])))
    .returning({ id: inboundEmails.id });
  return abandoned.length > 0;
}

export async function deleteEmail(db: Db | Tx, ownerId: string, id: string): Promise<void> {
  await db.delete(inboundEmails).where(ownedBy(inboundEmails, ownerId, id));
}

/** Counts an attempt of the email that has been due longest; null when none is due. */
export async function beginNextEmail(db: Db, now: Date): Promise<InboundEmailRow | null> {
  const next = db
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.status, 'received'),
        // A new one is due even if the clock of the process that received it is ahead.
        or(eq(inboundEmails.attempts, 0), lte(inboundEmails.nextAttemptAt, now)),
      ),
    )
    .orderBy(asc(inboundEmails.nextAttemptAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db
    .update(inboundEmails)
    .set({ attempts: sql`${inboundEmails.attempts} + 1` })
    .where(inArray(inboundEmails.id, next))
    .returning();
  return row ?? null;
}

/** Locks it until the transaction ends, without a timeout. Null when it is done, or locked by another worker. */
export async function lockReceivedEmail(
  tx: Tx,
  { ownerId, id }: Pick<InboundEmailRow, 'ownerId' | 'id'>,
): Promise<InboundEmailRow | null> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  const [row] = await tx
    .select()
    .from(inboundEmails)
    .where(and(ownedBy(inboundEmails, ownerId, id), eq(inboundEmails.status, 'received')))
    .for('no key update', { skipLocked: true });
  return row ?? null;
}

export async function updateEmail(
  db: Db | Tx,
  { ownerId, id }: Pick<InboundEmailRow, 'ownerId' | 'id'>,
  changes: Partial<Omit<InboundEmailRow, 'ownerId' | 'id'>>,
): Promise<void> {
  await db
    .update(inboundEmails)
    .set(changes)
    .where(ownedBy(inboundEmails, ownerId, id));
}

export async function isReceivedBefore(db: Db, ownerId: string, sha256: string): Promise<boolean> {
  const rows = await db
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(and(eq(inboundEmails.ownerId, ownerId), eq(inboundEmails.sha256, sha256)));
  return rows.length > 0;
}

export async function findEmail(db: Db | Tx, ownerId: string, id: string): Promise<InboundEmailRow | null> {
  const [row] = await db
    .select()
    .from(inboundEmails)
    .where(ownedBy(inboundEmails, ownerId, id));
  return row ?? null;
}

export async function lockEmail(tx: Tx, ownerId: string, id: string): Promise<InboundEmailRow | null> {
  const [row] = await tx
    .select()
    .from(inboundEmails)
    .where(ownedBy(inboundEmails, ownerId, id))
    .for('update');
  return row ?? null;
}

/** One that stopped arriving, is past its retention, or whose process crashed before deleting its bytes. */
export async function findEmailToPurge(
  db: Db,
  before: { arriving: Date; expired: Date },
): Promise<InboundEmailRow | null> {
  const { status, createdAt, isStored } = inboundEmails;
  const [row] = await db
    .select()
    .from(inboundEmails)
    .where(
      or(
        and(eq(status, 'arriving'), lt(createdAt, before.arriving)),
        and(inArray(status, ['waiting', 'done', 'rejected']), lt(createdAt, before.expired)),
        and(inArray(status, ['done', 'rejected']), eq(isStored, true)),
      ),
    )
    .limit(1);
  return row ?? null;
}
