import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';

/** The permission to put one object once, and what became of it. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
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
    index('uploads_owner').on(table.ownerId),
    // For a memory that goes.
    index('uploads_memory').on(table.memoryId),
    index('uploads_purge').on(table.purgedAt, table.createdAt),
  ],
);
