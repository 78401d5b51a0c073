import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';

/** The permission to put one object once, and what became of it. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** open: may still become a memory; completed: it is one; refused: its bytes were no photo and are gone. */
    status: text('status', { enum: ['open', 'completed', 'refused'] }).notNull(),
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('uploads_owner').on(table.ownerId), index('uploads_created').on(table.createdAt)],
);
