import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { inboundEmails } from '../platform/db/schema/inbound-emails.ts';
import type { TestServer } from './test-server.ts';

/** Until so many mails are on their way in, noted and not yet whole. */
export async function untilArriving({ context: { db } }: TestServer, count: number): Promise<void> {
  const countArriving = () => db.$count(inboundEmails, eq(inboundEmails.status, 'arriving'));
  await vi.waitUntil(async () => (await countArriving()) === count, { timeout: 20_000 });
}
