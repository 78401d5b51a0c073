import { index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** Photos that a person adds together; the id is the browser's. */
export const batches = pgTable(
  'batches',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    createdAt: instant('created_at').notNull(),
    /** Null while photos arrive. */
    finishedAt: instant('finished_at'),
    /** Its memories were moved to the trash at this time. */
    takenBackAt: instant('taken_back_at'),
  },
  (table) => [index('batches_owner').on(table.ownerId, table.createdAt)],
);
