import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** The events of the security log that an account's owner sees, for 90 days. */
export const accountActivity = pgTable(
  'account_activity',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    kind: text('kind').notNull(),
    /** An administrator did it. */
    isByAdmin: boolean('is_by_admin').notNull(),
    device: text('device'),
    network: text('network'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('account_activity_owner').on(table.ownerId, table.createdAt)],
);
