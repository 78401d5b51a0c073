import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { inboundEmails } from '../platform/db/schema/inbound-emails.ts';
import type { TestServer } from './test-server.ts';

/** Resolves when `count` emails have a row but are not completely stored. */
export async function untilArriving({ context: { db } }: TestServer, count: number): Promise<void> {
  const countArriving = () => db.$count(inboundEmails, eq(inboundEmails.status, 'arriving'));
  await vi.waitUntil(async () => (await countArriving()) === count, { timeout: 20_000 });
}
