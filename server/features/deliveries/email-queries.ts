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
import { contacts } from '../../platform/db/schema/album/contacts.ts';
import { deliveries, emails } from '../../platform/db/schema/album/deliveries.ts';

export type EmailRow = typeof emails.$inferSelect;
type NewEmail = Pick<EmailRow, 'ownerId' | 'contactId' | 'kind' | 'createdAt'> & { id?: string };

export async function insertEmail(tx: Tx, email: NewEmail): Promise<EmailRow> {
  const [row] = await tx
    .insert(emails)
    .values({ id: uuidv7(), ...email, status: 'waiting', nextAttemptAt: email.createdAt })
    .returning();
  if (!row) throw new Error('The new email was not returned');
  return row;
}

/** This id, from which the Message-ID is derived; a new one when an earlier email has it. */
export async function reserveEmailId(tx: Tx, id: string): Promise<string> {
  const taken = await tx.select({ id: emails.id }).from(emails).where(eq(emails.id, id));
  return taken.length === 0 ? id : uuidv7();
}

/** Its deliveries become pending again. */
export async function deleteEmail(tx: Tx, id: string): Promise<void> {
  await tx.delete(emails).where(eq(emails.id, id));
}

/** Their deliveries become pending again. The rows stay, because one of the emails may be in flight. */
export async function cancelPendingEmails(tx: Tx, contactId: string): Promise<void> {
  const cancelled = await tx
    .update(emails)
    .set({ status: 'cancelled' })
    .where(and(eq(emails.contactId, contactId), eq(emails.status, 'waiting')))
    .returning({ id: emails.id });
  const ids = cancelled.map(({ id }) => id);
  await tx.update(deliveries).set({ emailId: null }).where(inArray(deliveries.emailId, ids));
}

/** Waits for transactions that are leasing one of this contact's emails. */
export async function lockPendingEmails(tx: Tx, ownerId: string, contactId: string): Promise<void> {
  await tx
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.ownerId, ownerId), eq(emails.contactId, contactId), eq(emails.status, 'waiting')))
    .for('update');
}

/** Ends the delay of all emails of this owner that have not been attempted. */
export async function makeEmailsDue(tx: Tx, ownerId: string, now: Date): Promise<void> {
  await tx
    .update(emails)
    .set({ nextAttemptAt: now })
    .where(and(eq(emails.ownerId, ownerId), eq(emails.status, 'waiting'), eq(emails.attempts, 0)));
}

/** Emails and domains that this process does not lease now. */
export type Exclusions = { emailIds: string[]; domains: string[] };

/** Locks an email that is due and not leased. Emails to one contact are sent one by one, oldest first. */
export async function lockDueEmail(tx: Tx, now: Date, excluded: Exclusions): Promise<EmailRow | null> {
  const [row] = await tx
    .select(getTableColumns(emails))
    .from(emails)
    .innerJoin(contacts, eq(contacts.id, emails.contactId))
    .where(
      and(
        eq(emails.status, 'waiting'),
        lte(emails.nextAttemptAt, now),
        or(isNull(emails.leaseExpiresAt), lte(emails.leaseExpiresAt, now)),
        notInArray(emails.id, excluded.emailIds),
        notInArray(contactDomain, excluded.domains),
        sql`not exists (select from ${emails} earlier
          where earlier.contact_id = ${emails.contactId} and earlier.status = 'waiting'
            and (earlier.created_at, earlier.id) < (${emails.createdAt}, ${emails.id}))`,
      ),
    )
    .orderBy(asc(emails.nextAttemptAt))
    .limit(1)
    .for('update', { of: emails, skipLocked: true });
  return row ?? null;
}

/** The same as `emailDomain` below. */
const contactDomain = sql<string>`lower(substring(${contacts.email} from '[^@]*$'))`;

export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

export async function updateEmail(tx: Tx, id: string, changes: EmailChanges): Promise<void> {
  await tx.update(emails).set(changes).where(eq(emails.id, id));
}

type EmailChanges = Partial<
  Pick<EmailRow, 'status' | 'nextAttemptAt' | 'attempts' | 'firstAttemptAt' | 'sentAt'>
>;
/** Identifies a lease: each one increments `attempts`. */
type EmailLease = Pick<EmailRow, 'id' | 'attempts'>;

export async function leaseEmail(
  tx: Tx,
  { id, attempts, firstAttemptAt }: EmailRow,
  lease: { now: Date; expiresAt: Date },
): Promise<EmailRow> {
  const [row] = await tx
    .update(emails)
    .set({
      attempts: attempts + 1,
      firstAttemptAt: firstAttemptAt ?? lease.now,
      leaseExpiresAt: lease.expiresAt,
    })
    .where(eq(emails.id, id))
    .returning();
  if (!row) throw new Error('The leased email was not returned');
  return row;
}

export async function extendLease(db: Db, lease: EmailLease, expiresAt: Date): Promise<void> {
  await db.update(emails).set({ leaseExpiresAt: expiresAt }).where(isLeased(lease));
}

/** Stores the outcome and ends the lease. Returns false and changes nothing when the lease is lost. */
export async function endLease(tx: Tx, lease: EmailLease, changes: EmailChanges): Promise<boolean> {
  const rows = await tx
    .update(emails)
    .set({ ...changes, leaseExpiresAt: null })
    .where(isLeased(lease))
    .returning({ id: emails.id });
  return rows.length > 0;
}

function isLeased({ id, attempts }: EmailLease) {
  return and(eq(emails.id, id), eq(emails.attempts, attempts), isNotNull(emails.leaseExpiresAt));
}

export function countLeased(tx: Tx, ownerId: string, now: Date): Promise<number> {
  return tx.$count(emails, and(eq(emails.ownerId, ownerId), gt(emails.leaseExpiresAt, now)));
}

export async function listSentSince(db: Db | Tx, ownerId: string, since: Date): Promise<Date[]> {
  const rows = await db
    .select({ sentAt: emails.sentAt })
    .from(emails)
    .where(and(eq(emails.ownerId, ownerId), gt(emails.sentAt, since)))
    .orderBy(asc(emails.sentAt));
  return rows.flatMap(({ sentAt }) => (sentAt ? [sentAt] : []));
}

/** Serializes the leases of one owner's emails: concurrent ones would exceed the hourly limit. */
export async function lockHourlyLimit(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`send-mail ${ownerId}`}, 0))`);
}
