import { and, asc, eq, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inboundEmails, type EmailOutcome } from '../../platform/db/schema/inbound-emails.ts';

export type InboundEmailRow = typeof inboundEmails.$inferSelect;
type Envelope = Pick<InboundEmailRow, 'envelopeSender' | 'spfDomain'>;

/** Noted before anything is stored of it, so that after a crash the purge knows where to look. */
export async function insertArrivingEmail(
  db: Db,
  ownerId: string,
  envelope: Envelope,
  now: Date,
): Promise<string> {
  const id = uuidv7();
  const row = { id, ownerId, ...envelope, isStored: true, status: 'arriving' as const };
  await db.insert(inboundEmails).values({ ...row, tryAt: now, createdAt: now });
  return id;
}

/**
 * Its bytes are whole. @throws a unique violation of inbound_emails_once when the very same bytes were received before;
 * an error when the purge has taken it for one that was left
 */
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
  if (marked.length === 0) throw new Error('A mail took so long to arrive that it was cleared away');
}

/** From here on nothing can come of it, and its bytes may be deleted. False when it was not arriving or waiting any more. */
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

/** Counts that something is begun with the mail that has waited longest; null when none is due. */
export async function beginNextEmail(db: Db, now: Date): Promise<InboundEmailRow | null> {
  const next = db
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.status, 'received'),
        // What is new is due, whatever the clock of the machine said that it came to.
        or(eq(inboundEmails.tries, 0), lte(inboundEmails.tryAt, now)),
      ),
    )
    .orderBy(asc(inboundEmails.tryAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db
    .update(inboundEmails)
    .set({ tries: sql`${inboundEmails.tries} + 1` })
    .where(inArray(inboundEmails.id, next))
    .returning();
  return row ?? null;
}

/** Null when it is done meanwhile, or somebody else works on it. Held until the transaction ends, however long that takes. */
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
  changes: Partial<
    Pick<
      InboundEmailRow,
      | 'status'
      | 'tryAt'
      | 'tries'
      | 'sender'
      | 'isProven'
      | 'subject'
      | 'photoCount'
      | 'acceptedAt'
      | 'isStored'
    > & { outcome: EmailOutcome }
  >,
): Promise<void> {
  await db
    .update(inboundEmails)
    .set(changes)
    .where(ownedBy(inboundEmails, ownerId, id));
}

/** Whether these very bytes were received before. */
export async function isReceivedBefore(db: Db, ownerId: string, sha256: string): Promise<boolean> {
  const rows = await db
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(and(eq(inboundEmails.ownerId, ownerId), eq(inboundEmails.sha256, sha256)));
  return rows.length > 0;
}

/** Null when it is not there or not this owner's. */
export async function findEmail(db: Db | Tx, ownerId: string, id: string): Promise<InboundEmailRow | null> {
  const [row] = await db
    .select()
    .from(inboundEmails)
    .where(ownedBy(inboundEmails, ownerId, id));
  return row ?? null;
}

/** The same, and nobody else may change it before the transaction ends. */
export async function lockEmail(tx: Tx, ownerId: string, id: string): Promise<InboundEmailRow | null> {
  const [row] = await tx
    .select()
    .from(inboundEmails)
    .where(ownedBy(inboundEmails, ownerId, id))
    .for('update');
  return row ?? null;
}

/**
 * One whose bytes nobody needs any more: it came to nothing since then, has waited since before then, or is
 * done, and the process ended before it had cleared up.
 */
export async function findEmailToClear(
  db: Db,
  before: { arrived: Date; waited: Date },
): Promise<InboundEmailRow | null> {
  const { status, createdAt, isStored } = inboundEmails;
  const [row] = await db
    .select()
    .from(inboundEmails)
    .where(
      or(
        and(eq(status, 'arriving'), lt(createdAt, before.arrived)),
        and(inArray(status, ['waiting', 'done', 'rejected']), lt(createdAt, before.waited)),
        and(inArray(status, ['done', 'rejected']), eq(isStored, true)),
      ),
    )
    .limit(1);
  return row ?? null;
}
