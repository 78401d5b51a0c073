import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { inboundMessages } from './inbound-sms.ts';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';

/** One photo on its way in, and what became of it: the permission to put it once, or its place in a message. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** The message that it came in; null when it was put by its owner's browser. */
    inboundMessageId: uuid('inbound_message_id').references(() => inboundMessages.id, {
      onDelete: 'set null',
    }),
    /** Its place among the message's photos, from 0. */
    position: integer('position'),
    /** open: may still become a memory; completed: it is one; refused: its bytes are gone. */
    status: text('status', { enum: ['open', 'completed', 'refused'] }).notNull(),
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'set null' }),
    /** The answer that a refused one got, for whoever asks again. */
    refusalStatus: integer('refusal_status'),
    refusalMessage: text('refusal_message'),
    /** When what lay at its address was cleared away, after its time. */
    purgedAt: instant('purged_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('uploads_of_message_once').on(table.inboundMessageId, table.position),
    index('uploads_owner').on(table.ownerId),
    // For a memory that goes.
    index('uploads_memory').on(table.memoryId),
    index('uploads_purge').on(table.purgedAt, table.createdAt),
  ],
);
