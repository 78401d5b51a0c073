import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';

/** At most one row, since the first start with nightly backups. A restore deletes it: the copy is another installation. */
export const installation = pgTable(
  'installation',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    /** Also in the folder of the nightly backups, whose owner it is. */
    id: uuid('id').notNull(),
    backupsSince: instant('backups_since').notNull(),
    /** Then its folder is there, or not mounted. */
    hasNightlyBackup: boolean('has_nightly_backup').notNull().default(false),
  },
  (table) => [check('installation_one_row', sql`${table.isOnly}`)],
);
