import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { memories } from '../album/memories.ts';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { batches } from './batches.ts';
import { inboundMessages } from './inbound-sms.ts';

const REJECTION_REASONS = [
  'not-a-photo',
  'damaged',
  'corrupted',
  'too-many-pixels',
  'too-slow',
  'too-large',
  'album-full',
  'no-room',
  'video',
  'too-many',
  'gone',
  'expired',
  'discarded',
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Where the account had a photo before it was sent: nowhere, in the album, or in the trash, from which it was restored. */
export type PhotoBefore = NonNullable<typeof uploads.$inferSelect.before>;

/**
 * Bytes that are not a memory yet, and their result: uploads of browsers, photos of SMS and emails, and staged objects
 * (`staged-object.ts`), which are never completed. All are purged alike.
 */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Null unless the photo came by SMS or email. */
    inboundMessageId: uuid('inbound_message_id').references(() => inboundMessages.id, {
      onDelete: 'set null',
    }),
    position: integer('position'),
    /** As announced by the browser, and reserved in the account's storage while open. Null for the others. */
    byteSize: integer('byte_size'),
    /** Of the photo before it was sent; null if the client did not announce it. */
    sha256: text('sha256'),
    batchId: uuid('batch_id').references(() => batches.id, { onDelete: 'set null' }),
    /** Null unless requested by a browser. */
    lastUsedAt: instant('last_used_at'),
    /** completed: a memory was created or had this photo; rejected: the bytes were deleted. */
    status: text('status', { enum: ['open', 'completed', 'rejected'] }).notNull(),
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'set null' }),
    /** Null until it is completed. */
    before: text('before', { enum: ['none', 'album', 'trash'] }),
    rejectionReason: text('rejection_reason', { enum: REJECTION_REASONS }),
    /** When the purge deleted bytes that arrived after completion. */
    purgedAt: instant('purged_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('uploads_of_message_once').on(table.inboundMessageId, table.position),
    index('uploads_owner').on(table.ownerId),
    index('uploads_open')
      .on(table.ownerId)
      .where(sql`${table.status} = 'open' and ${table.byteSize} is not null`),
    // For the foreign key, when a memory is deleted.
    index('uploads_memory').on(table.memoryId),
    index('uploads_purge').on(table.purgedAt, table.createdAt),
  ],
);
