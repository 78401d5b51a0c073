import { and, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { isOlder } from '../../../platform/db/conditions.ts';
import { inboundEmails } from '../../../platform/db/schema/transfers/inbound-emails.ts';
import type { CreatedAtCursor, PageRange } from '../../../platform/pagination.ts';
import type { InboundEmailRow } from '../inbound-email-queries.ts';

export function listHeldEmails(
  db: Db,
  ownerId: string,
  page: PageRange<CreatedAtCursor>,
): Promise<InboundEmailRow[]> {
  const isAfter = page.after ? isOlder(inboundEmails, page.after) : undefined;
  return db
    .select()
    .from(inboundEmails)
    .where(and(eq(inboundEmails.ownerId, ownerId), eq(inboundEmails.status, 'waiting'), isAfter))
    .orderBy(desc(inboundEmails.createdAt), desc(inboundEmails.id))
    .limit(page.maxRows);
}

/** Email that is held, or received and may still be held. */
export async function countUndecidedEmails(
  db: Db,
  ownerId: string,
): Promise<{ emails: number; bytes: number }> {
  const { status, acceptedAt, byteSize } = inboundEmails;
  const [row] = await db
    .select({ emails: sql<string>`count(*)`, bytes: sql<string>`coalesce(sum(${byteSize}), 0)` })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.ownerId, ownerId),
        or(eq(status, 'waiting'), and(eq(status, 'received'), isNull(acceptedAt))),
      ),
    );
  return { emails: Number(row?.emails ?? 0), bytes: Number(row?.bytes ?? 0) };
}

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
