import { sql } from 'drizzle-orm';
import { date, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type {
  CaricatureGeneratorName,
  CaricatureFailureReason,
  CaricatureStyle,
} from '#shared/album/caricature';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { images } from './images.ts';
import { memories } from './memories.ts';
import { pets } from './pets.ts';

export const caricatures = pgTable(
  'caricatures',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** A caricature outlives its pet, memory and original. */
    petId: uuid('pet_id').references(() => pets.id, { onDelete: 'set null' }),
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'set null' }),
    originalImageId: uuid('original_image_id').references(() => images.id, { onDelete: 'set null' }),
    style: text('style').$type<CaricatureStyle>().notNull(),
    generator: text('generator').$type<CaricatureGeneratorName>().notNull(),
    status: text('status', { enum: ['generating', 'completed', 'failed'] }).notNull(),
    failureReason: text('failure_reason').$type<CaricatureFailureReason>(),
    /** Shown only once the caricature is completed and all variants exist. */
    imageId: uuid('image_id')
      .unique()
      .references(() => images.id),
    savedMemoryId: uuid('saved_memory_id').references(() => memories.id, { onDelete: 'set null' }),
    /** Started attempts; each may have been charged, even if its worker was killed. */
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** The start of the generation; later than createdAt after a redo. */
    startedAt: instant('started_at').notNull(),
    /** The day of the daily limit, refunded when it fails. */
    countedDay: date('counted_day', { mode: 'string' }).notNull(),
    /** The month that has counted its next call in advance; null once that call has started. */
    countedMonth: date('counted_month', { mode: 'string' }),
  },
  (table) => [
    index('caricatures_owner_created').on(table.ownerId, table.createdAt, table.id),
    index('caricatures_pet').on(table.petId, table.createdAt, table.id),
    // A double click must not start two.
    uniqueIndex('caricatures_one_generating')
      .on(table.ownerId, table.originalImageId, table.style)
      .where(sql`${table.status} = 'generating'`),
    index('caricatures_generating')
      .on(table.startedAt)
      .where(sql`${table.status} = 'generating'`),
    // For the foreign keys' `on delete set null`.
    index('caricatures_memory').on(table.memoryId),
    index('caricatures_original_image').on(table.originalImageId),
    index('caricatures_saved_memory').on(table.savedMemoryId),
  ],
);

/** Caricatures started by an account on a UTC day. */
export const caricatureDays = pgTable(
  'caricature_days',
  {
    ownerId: ownerId(),
    day: date('day', { mode: 'string' }).notNull(),
    used: integer('used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.day] })],
);

/** Calls of the whole installation to an external generator in a UTC month, identified by its first day. */
export const caricatureMonths = pgTable('caricature_months', {
  month: date('month', { mode: 'string' }).primaryKey(),
  used: integer('used').notNull(),
});
