import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { users } from './users.ts';

/**
 * connect-pg-simple's table with more columns. The owner lets a user's sessions be deleted together and with the user.
 * The store writes `sess` as a whole, so what other statements write has its own column.
 */
export const sessions = pgTable(
  'sessions',
  {
    sid: varchar('sid').primaryKey(),
    sess: jsonb('sess').notNull(),
    expire: timestamp('expire', { withTimezone: true, precision: 3 }).notNull(),
    ownerId: uuid('owner_id')
      .generatedAlwaysAs(sql`((sess -> 'passport' ->> 'user')::uuid)`)
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Public: `sid` is a credential. */
    id: uuid('id').notNull().unique().defaultRandom(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Written at most every ten minutes, with the two below. */
    lastSeenAt: instant('last_seen_at'),
    /** `Firefox on Windows` */
    device: text('device'),
    /** `203.0.113.0/24` */
    network: text('network'),
  },
  (table) => [index('sessions_expire').on(table.expire), index('sessions_owner').on(table.ownerId)],
);
