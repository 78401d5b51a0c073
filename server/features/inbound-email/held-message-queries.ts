import { and, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder } from '../../platform/db/conditions.ts';
import { inboundEmails } from '../../platform/db/schema/inbound-emails.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';

/** Newest first. */
export function listWaitingEmails(
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

/** What waits for the owner's OK, or may come to wait for it. */
export async function countUndecidedEmails(
  db: Db,
  ownerId: string,
): Promise<{ mails: number; bytes: number }> {
  const { status, acceptedAt, byteSize } = inboundEmails;
  const [row] = await db
    .select({ mails: sql<string>`count(*)`, bytes: sql<string>`coalesce(sum(${byteSize}), 0)` })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.ownerId, ownerId),
        or(eq(status, 'waiting'), and(eq(status, 'received'), isNull(acceptedAt))),
      ),
    );
  return { mails: Number(row?.mails ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Whether one that says the same of itself waits, was decided on, or is proven: its Message-ID alone says nothing. */
export async function isRepetition(tx: Tx, email: InboundEmailRow): Promise<boolean> {
  const { status, acceptedAt, isProven, sender, subject, photoCount } = inboundEmails;
  const rows = await tx
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(
      and(
        isAnotherWithMessageIdOf(email),
        sql`${sender} is not distinct from ${email.sender}`,
        eq(subject, email.subject),
        eq(photoCount, email.photoCount),
        or(inArray(status, ['waiting', 'done', 'rejected']), isNotNull(acceptedAt), isProven),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Ends what waits under the Message-ID and the name of a mail that is proven. */
export async function replaceUnprovenEmails(tx: Tx, email: InboundEmailRow): Promise<void> {
  const { status, acceptedAt, isProven, sender } = inboundEmails;
  await tx
    .update(inboundEmails)
    .set({ status: 'done' })
    .where(
      and(
        isAnotherWithMessageIdOf(email),
        sql`${sender} = ${email.sender}`,
        eq(status, 'waiting'),
        eq(isProven, false),
        isNull(acceptedAt),
      ),
    );
}

function isAnotherWithMessageIdOf({ ownerId, id, messageId }: InboundEmailRow) {
  return and(
    eq(inboundEmails.ownerId, ownerId),
    sql`${inboundEmails.messageId} = ${messageId}`,
    ne(inboundEmails.id, id),
  );
}
