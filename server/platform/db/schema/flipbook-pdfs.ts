import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

/** A book as a PDF, being made or made. An owner has one at a time. */
export const flipbookPdfs = pgTable(
  'flipbook_pdfs',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId().unique(),
    memoryIds: uuid('memory_ids').array().notNull(),
    /** In which the book says today's date. */
    timeZone: text('time_zone').notNull(),
    status: text('status', { enum: ['making', 'completed', 'failed'] }).notNull(),
    /** How many of its memories are written. */
    memoriesDone: integer('memories_done').notNull().default(0),
    /** How often its making was begun. */
    attempts: integer('attempts').notNull().default(0),
    /** Who is at work on it, and when they last said so: one who falls silent has died. */
    workerId: uuid('worker_id'),
    heartbeatAt: instant('heartbeat_at'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('flipbook_pdfs_status').on(table.status, table.finishedAt)],
);
