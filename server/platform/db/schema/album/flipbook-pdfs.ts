import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

export const flipbookPdfs = pgTable(
  'flipbook_pdfs',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId().unique(),
    /** Null for the default. */
    title: text('title'),
    memoryIds: uuid('memory_ids').array().notNull(),
    /** For the date on the book. */
    timeZone: text('time_zone').notNull(),
    status: text('status', { enum: ['making', 'completed', 'failed'] }).notNull(),
    memoriesDone: integer('memories_done').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** A worker without a recent heartbeat has died. */
    workerId: uuid('worker_id'),
    heartbeatAt: instant('heartbeat_at'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('flipbook_pdfs_status').on(table.status, table.finishedAt)],
);
