import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { users } from './users.ts';

/** connect-pg-simple's table, and whose session it is: so an account can end them all, and take them along. */
export const sessions = pgTable(
  'sessions',
  {
    sid: varchar('sid').primaryKey(),
    sess: jsonb('sess').notNull(),
    expire: timestamp('expire', { withTimezone: true, precision: 3 }).notNull(),
    ownerId: uuid('owner_id')
      .generatedAlwaysAs(sql`((sess -> 'passport' ->> 'user')::uuid)`)
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [index('sessions_expire').on(table.expire), index('sessions_owner').on(table.ownerId)],
);
