import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../db/database.ts';
import { mails } from '../db/schema/deliveries.ts';

export type MailRow = typeof mails.$inferSelect;
export type NewMail = Pick<MailRow, 'ownerId' | 'contactId' | 'kind' | 'createdAt'> & { id?: string };

export async function insertMail(tx: Tx, mail: NewMail): Promise<MailRow> {
  const [row] = await tx
    .insert(mails)
    .values({ id: uuidv7(), ...mail, status: 'waiting', tryAt: mail.createdAt })
    .returning();
  if (!row) throw new Error('The new mail was not returned');
  return row;
}

/** This id, by which whoever gets a mail twice knows it again; or a new one, when a mail has had it. */
export async function freeMailId(tx: Tx, id: string): Promise<string> {
  const taken = await tx.select({ id: mails.id }).from(mails).where(eq(mails.id, id));
  return taken.length === 0 ? id : uuidv7();
}

/** What it held is owed again. */
export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx.delete(mails).where(eq(mails.id, id));
}

/** Of this owner, whatever their mails were waiting for. */
export async function makeMailsDue(tx: Tx, ownerId: string, now: Date): Promise<void> {
  await tx
    .update(mails)
    .set({ tryAt: now })
    .where(and(eq(mails.ownerId, ownerId), eq(mails.status, 'waiting'), eq(mails.tries, 0)));
}

/**
 * A mail that may be tried now, for this transaction alone: what another is just sending is left to it. A contact's
 * mails go out one after the other, in the order in which they were made.
 */
export async function takeDueMail(tx: Tx, now: Date): Promise<MailRow | null> {
  const [row] = await tx
    .select()
    .from(mails)
    .where(
      and(
        eq(mails.status, 'waiting'),
        lte(mails.tryAt, now),
        sql`not exists (select from mails earlier
          where earlier.contact_id = ${mails.contactId} and earlier.status = 'waiting'
            and (earlier.created_at, earlier.id) < (${mails.createdAt}, ${mails.id}))`,
      ),
    )
    .orderBy(asc(mails.tryAt))
    .limit(1)
    .for('update', { skipLocked: true });
  return row ?? null;
}

export async function updateMail(
  tx: Tx,
  id: string,
  changes: Partial<Pick<MailRow, 'status' | 'tryAt' | 'tries' | 'firstTriedAt' | 'sentAt'>>,
): Promise<void> {
  await tx.update(mails).set(changes).where(eq(mails.id, id));
}

/** When each of this owner's mails since then was sent, oldest first. */
export async function listSentSince(db: Db | Tx, ownerId: string, since: Date): Promise<Date[]> {
  const rows = await db
    .select({ sentAt: mails.sentAt })
    .from(mails)
    .where(and(eq(mails.ownerId, ownerId), gt(mails.sentAt, since)))
    .orderBy(asc(mails.sentAt));
  return rows.flatMap(({ sentAt }) => (sentAt ? [sentAt] : []));
}

/** Until the transaction ends nobody else sends this owner's mail: the limit holds exactly. */
export async function lockSending(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`send-mail ${ownerId}`}, 0))`);
}
