import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/db/database.ts';
import { inboundEmails } from '../../platform/db/schema/transfers/inbound-emails.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';

/** Compares more than the Message-ID: anyone can write any. */
export async function isDuplicateEmail(tx: Tx, email: InboundEmailRow): Promise<boolean> {
  const { status, acceptedAt, isAuthenticated, sender, subject, photoCount } = inboundEmails;
  const rows = await tx
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(
      and(
        hasSameMessageId(email),
        sql`${sender} is not distinct from ${email.sender}`,
        eq(subject, email.subject),
        eq(photoCount, email.photoCount),
        or(inArray(status, ['waiting', 'done', 'rejected']), isNotNull(acceptedAt), isAuthenticated),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Drops held email with the Message-ID and sender of a verified one: a copy that could not be verified, or a forgery. */
export async function supersedeUnauthenticatedEmails(tx: Tx, email: InboundEmailRow): Promise<void> {
  const { status, acceptedAt, isAuthenticated, sender } = inboundEmails;
  await tx
    .update(inboundEmails)
    .set({ status: 'done' })
    .where(
      and(
        hasSameMessageId(email),
        sql`${sender} = ${email.sender}`,
        eq(status, 'waiting'),
        eq(isAuthenticated, false),
        isNull(acceptedAt),
      ),
    );
}

function hasSameMessageId({ ownerId, id, messageId }: InboundEmailRow) {
  return and(
    eq(inboundEmails.ownerId, ownerId),
    sql`${inboundEmails.messageId} = ${messageId}`,
    ne(inboundEmails.id, id),
  );
}
