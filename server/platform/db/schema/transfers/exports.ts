import { bigint, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** All that an account holds, as zip files. */
export const exports = pgTable(
  'exports',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId().unique(),
    status: text('status', { enum: ['making', 'completed', 'failed'] }).notNull(),
    /** In percent. */
    progress: integer('progress').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** A worker without a recent heartbeat has died. */
    workerId: uuid('worker_id'),
    heartbeatAt: instant('heartbeat_at'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('exports_status').on(table.status, table.finishedAt)],
);

/** One zip file. Its row is written before its object, so that no object is left without one. */
export const exportParts = pgTable(
  'export_parts',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    exportId: uuid('export_id')
      .notNull()
      .references(() => exports.id, { onDelete: 'cascade' }),
    /** From 1. */
    number: integer('number').notNull(),
    /** Null until it is stored. */
    byteSize: bigint('byte_size', { mode: 'number' }),
  },
  (table) => [
    unique('export_parts_once').on(table.exportId, table.number),
    index('export_parts_owner').on(table.ownerId),
  ],
);
