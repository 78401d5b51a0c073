import { bigint, pgTable } from 'drizzle-orm/pg-core';
import { ownerId } from './owner-id.ts';

/**
 * What an account's images and texts take, so that no upload has to add them up. Deferred triggers maintain it at the commit:
 * locked last, the row cannot cause a deadlock.
 */
export const storageUsage = pgTable('storage_usage', {
  ownerId: ownerId().primaryKey(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
});
