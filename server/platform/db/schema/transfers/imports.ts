import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** A zip of an export that is added to an album. It is stored in chunks until it was read. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId().unique(),
    fileName: text('file_name').notNull(),
    byteSize: bigint('byte_size', { mode: 'number' }).notNull(),
    receivedBytes: bigint('received_bytes', { mode: 'number' }).notNull().default(0),
    status: text('status', { enum: ['receiving', 'working', 'completed', 'failed'] }).notNull(),
    failureReason: text('failure_reason'),
    /** The name of the entry, or what else the reason is about. */
    failureDetail: text('failure_detail'),
    /** Of the pictures in this zip. */
    total: integer('total').notNull().default(0),
    done: integer('done').notNull().default(0),
    /** Of them, those that were not there before. */
    added: integer('added').notNull().default(0),
    /** Pictures that cannot be decoded. */
    unreadable: integer('unreadable').notNull().default(0),
    /** Pictures that are in other parts. */
    missing: integer('missing').notNull().default(0),
    /** The import that stored the data of the whole export, for parts without it. */
    dataId: uuid('data_id'),
    attempts: integer('attempts').notNull().default(0),
    /** A worker without a recent heartbeat has died. */
    workerId: uuid('worker_id'),
    heartbeatAt: instant('heartbeat_at'),
    createdAt: instant('created_at').notNull(),
    /** Of the last chunk. */
    receivedAt: instant('received_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('imports_status').on(table.status, table.finishedAt)],
);
