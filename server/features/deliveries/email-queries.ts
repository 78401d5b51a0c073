import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  sql,
} from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { contacts } from '../../platform/db/schema/contacts.ts';
import { deliveries, mails } from '../../platform/db/schema/deliveries.ts';

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

/** Their deliveries are owed again. Rows are kept, because one of them may be in flight. */
export async function cancelWaitingMails(tx: Tx, contactId: string): Promise<void> {
  const cancelled = await tx
    .update(mails)
    .set({ status: 'cancelled' })
    .where(and(eq(mails.contactId, contactId), eq(mails.status, 'waiting')))
    .returning({ id: mails.id });
  const ids = cancelled.map(({ id }) => id);
  await tx.update(deliveries).set({ mailId: null }).where(inArray(deliveries.mailId, ids));
}

/** Waits until none of this contact's mails is being leased. */
export async function lockWaitingMails(tx: Tx, ownerId: string, contactId: string): Promise<void> {
  await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.ownerId, ownerId), eq(mails.contactId, contactId), eq(mails.status, 'waiting')))
    .for('update');
}

/** Of this owner, whatever their mails were waiting for. */
export async function makeMailsDue(tx: Tx, ownerId: string, now: Date): Promise<void> {
  await tx
    .update(mails)
    .set({ tryAt: now })
    .where(and(eq(mails.ownerId, ownerId), eq(mails.status, 'waiting'), eq(mails.tries, 0)));
}

/** Mails and domains whose turn it is not. */
export type Exclusions = { mailIds: string[]; domains: string[] };

/**
 * Locks a mail that is due and not leased. A contact's mails go out one after the other, in the
 * order in which they were made.
 */
export async function lockDueMail(tx: Tx, now: Date, excluded: Exclusions): Promise<MailRow | null> {
  const [row] = await tx
    .select(getTableColumns(mails))
    .from(mails)
    .innerJoin(contacts, eq(contacts.id, mails.contactId))
    .where(
      and(
        eq(mails.status, 'waiting'),
        lte(mails.tryAt, now),
        or(isNull(mails.leaseExpiresAt), lte(mails.leaseExpiresAt, now)),
        notInArray(mails.id, excluded.mailIds),
        notInArray(contactDomain, excluded.domains),
        sql`not exists (select from mails earlier
          where earlier.contact_id = ${mails.contactId} and earlier.status = 'waiting'
            and (earlier.created_at, earlier.id) < (${mails.createdAt}, ${mails.id}))`,
      ),
    )
    .orderBy(asc(mails.tryAt))
    .limit(1)
    .for('update', { of: mails, skipLocked: true });
  return row ?? null;
}

/** As `emailDomain` in JavaScript. */
const contactDomain = sql<string>`lower(substring(${contacts.email} from '[^@]*$'))`;

export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

export async function updateMail(tx: Tx, id: string, changes: MailChanges): Promise<void> {
  await tx.update(mails).set(changes).where(eq(mails.id, id));
}

type MailChanges = Partial<Pick<MailRow, 'status' | 'tryAt' | 'tries' | 'firstTriedAt' | 'sentAt'>>;
/** Who sends a mail, and for how long nobody else does. */
export type MailLease = Pick<MailRow, 'id' | 'tries'>;

/** The mail is this process's until then. */
export async function leaseMail(
  tx: Tx,
  { id, tries, firstTriedAt }: MailRow,
  lease: { now: Date; expiresAt: Date },
): Promise<MailRow> {
  const [row] = await tx
    .update(mails)
    .set({
      tries: tries + 1,
      firstTriedAt: firstTriedAt ?? lease.now,
      leaseExpiresAt: lease.expiresAt,
    })
    .where(eq(mails.id, id))
    .returning();
  if (!row) throw new Error('The leased mail was not returned');
  return row;
}

/** Does nothing once another process has the mail, or the mail is gone. */
export async function extendLease(db: Db, lease: MailLease, expiresAt: Date): Promise<void> {
  await db.update(mails).set({ leaseExpiresAt: expiresAt }).where(isLeased(lease));
}

/** Ends the lease with what came of the mail. False when it was lost: then nothing is changed. */
export async function endLease(tx: Tx, lease: MailLease, changes: MailChanges): Promise<boolean> {
  const rows = await tx
    .update(mails)
    .set({ ...changes, leaseExpiresAt: null })
    .where(isLeased(lease))
    .returning({ id: mails.id });
  return rows.length > 0;
}

function isLeased({ id, tries }: MailLease) {
  return and(eq(mails.id, id), eq(mails.tries, tries), isNotNull(mails.leaseExpiresAt));
}

/** How many of this owner's mails are just being sent. */
export function countLeased(tx: Tx, ownerId: string, now: Date): Promise<number> {
  return tx.$count(mails, and(eq(mails.ownerId, ownerId), gt(mails.leaseExpiresAt, now)));
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

/** Until the transaction ends no other mail of this owner is leased: the limit holds exactly. */
export async function lockSending(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`send-mail ${ownerId}`}, 0))`);
}
