import { and, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/db/database.ts';
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
