import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

/** The response to a request that its client may retry, by the key that the client generated. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    ownerId: ownerId(),
    /** Method and route, like `POST /api/pets`: clients may reuse a key for another endpoint. */
    endpoint: text('call').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request's content, in hex. */
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    response: jsonb('answer').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.endpoint, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
  ],
);
