import { bigint, pgTable } from 'drizzle-orm/pg-core';
import { ownerId } from './owner-id.ts';

/**
 * What an account's images, their copies and texts take, so that no upload has to add them up. Deferred triggers maintain it at the commit:
 * locked last, the row cannot cause a deadlock.
 */
export const storageUsage = pgTable('storage_usage', {
  ownerId: ownerId().primaryKey(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  /** Added to the limit: the copies of photos that an earlier release stored without counting them (decision 31). */
  allowanceBytes: bigint('allowance_bytes', { mode: 'number' }).notNull().default(0),
});
