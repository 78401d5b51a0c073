import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

/** What was answered to a call that may come twice, by the key that the client made for it. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    ownerId: ownerId(),
    /** The call, like `POST /api/pets`: one key may be used for different calls. */
    call: text('call').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of what was asked for, in hex. */
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    answer: jsonb('answer').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.call, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
  ],
);
