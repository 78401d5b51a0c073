import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';

/** Nightly backups that ended, well or not. */
export const backupRuns = pgTable('backup_runs', {
  id: uuid('id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  finishedAt: instant('finished_at').notNull(),
  /** Null: it is complete, and was read back. */
  failureReason: text('failure_reason'),
  /** Administrators were told of the failure. */
  isAnnounced: boolean('is_announced').notNull(),
  fileName: text('file_name'),
  objects: integer('objects'),
  /** Of its objects, those that earlier backups have included. */
  bytes: bigint('bytes', { mode: 'number' }),
});
