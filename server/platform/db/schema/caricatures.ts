import { sql } from 'drizzle-orm';
import { date, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { CaricatureArtistName, CaricatureFailureReason, CaricatureStyle } from '#shared/caricature';
import { images } from './images.ts';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';
import { pets } from './pets.ts';

/** A photo as a cartoon: being drawn, drawn, or given up. */
export const caricatures = pgTable(
  'caricatures',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Whom it shows, of which memory, from which photo: it outlives all three. */
    petId: uuid('pet_id').references(() => pets.id, { onDelete: 'set null' }),
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'set null' }),
    originalImageId: uuid('original_image_id').references(() => images.id, { onDelete: 'set null' }),
    style: text('style').$type<CaricatureStyle>().notNull(),
    /** Who draws it. */
    artist: text('artist').$type<CaricatureArtistName>().notNull(),
    status: text('status', { enum: ['generating', 'completed', 'failed'] }).notNull(),
    failureReason: text('failure_reason').$type<CaricatureFailureReason>(),
    /** What was drawn; shown only once it is completed, when all widths of it are there too. */
    imageId: uuid('image_id')
      .unique()
      .references(() => images.id),
    /** The memory that was made of it. */
    savedMemoryId: uuid('kept_memory_id').references(() => memories.id, { onDelete: 'set null' }),
    /** How many attempts to draw it have begun: each may have paid the artist, also one whose worker was killed. */
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** When it was asked for: later than it was created, when it was asked for again. */
    startedAt: instant('started_at').notNull(),
    /** The day in which it is counted for its owner, refunded when it fails. */
    countedDay: date('counted_day', { mode: 'string' }).notNull(),
    /** The month in which its next call is counted already; null once that call has begun, for it may be paid. */
    countedMonth: date('counted_month', { mode: 'string' }),
  },
  (table) => [
    index('caricatures_owner_created').on(table.ownerId, table.createdAt, table.id),
    index('caricatures_pet').on(table.petId, table.createdAt, table.id),
    // A double click asks for the same one.
    uniqueIndex('caricatures_one_generating')
      .on(table.ownerId, table.originalImageId, table.style)
      .where(sql`${table.status} = 'generating'`),
    index('caricatures_generating')
      .on(table.startedAt)
      .where(sql`${table.status} = 'generating'`),
    // For what goes.
    index('caricatures_memory').on(table.memoryId),
    index('caricatures_original_image').on(table.originalImageId),
    index('caricatures_kept_memory').on(table.savedMemoryId),
  ],
);

/** How many caricatures an account has begun on a day, in UTC. */
export const caricatureDays = pgTable(
  'caricature_days',
  {
    ownerId: ownerId(),
    day: date('day', { mode: 'string' }).notNull(),
    used: integer('used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.day] })],
);

/** How many calls the whole installation has made to a paid artist in a month, named by its first day, in UTC. */
export const caricatureMonths = pgTable('caricature_months', {
  month: date('month', { mode: 'string' }).primaryKey(),
  used: integer('used').notNull(),
});
