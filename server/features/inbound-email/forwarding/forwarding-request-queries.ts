import { and, desc, eq, gt, isNotNull, lte } from 'drizzle-orm';
import { MAX_FORWARDING_REQUESTS, type ForwardingRequest } from '#shared/transfers/inbound-email';
import type { Db } from '../../../platform/db/database.ts';
import { inboundEmails } from '../../../platform/db/schema/transfers/inbound-emails.ts';
import { findConfirmationCode } from './forwarding-requests.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;

/** Newest first. */
export async function listForwardingRequests(
  db: Db,
  ownerId: string,
  now: Date,
): Promise<ForwardingRequest[]> {
  const { id, subject, forwardingText, createdAt } = inboundEmails;
  const rows = await db
    .select({ id, subject, text: forwardingText, createdAt })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.ownerId, ownerId),
        isNotNull(forwardingText),
        gt(createdAt, new Date(now.getTime() - RETENTION_MS)),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(MAX_FORWARDING_REQUESTS);
  return rows.map(({ text, createdAt, ...row }) => ({
    ...row,
    text: text ?? '',
    code: findConfirmationCode(row.subject, text ?? ''),
    createdAt: createdAt.toISOString(),
  }));
}

export async function deleteExpiredForwardingTexts(db: Db, now: Date): Promise<void> {
  const { forwardingText, createdAt } = inboundEmails;
  await db
    .update(inboundEmails)
    .set({ forwardingText: null })
    .where(and(isNotNull(forwardingText), lte(createdAt, new Date(now.getTime() - RETENTION_MS))));
}
