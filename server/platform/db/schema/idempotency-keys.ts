import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

/**
 * What a request created that its client may retry, by the key that the client generated. Of the request only a hash is
 * stored: its texts would not count for the account's storage.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    ownerId: ownerId(),
    /** Method and route, like `POST /api/pets`: clients may reuse a key for another endpoint. */
    endpoint: text('endpoint').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request's content, in hex. */
    requestHash: text('request_hash').notNull(),
    /** Null only in the transaction that creates it. */
    resourceId: uuid('resource_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.endpoint, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
  ],
);
