import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { users } from './users.ts';

/** connect-pg-simple's table with an owner, so that a user's sessions can be deleted together and with the user. */
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
