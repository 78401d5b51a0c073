import { sql } from 'drizzle-orm';
import {
  boolean,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  time,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DateSource } from '#shared/dates/date-source';
import { instant, localTime } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { batches } from '../transfers/batches.ts';
import { images } from './images.ts';
import { pets } from './pets.ts';

export const memories = pgTable(
  'memories',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    petId: uuid('pet_id').references(() => pets.id, { onDelete: 'set null' }),
    imageId: uuid('image_id')
      .notNull()
      .unique()
      .references(() => images.id),
    /** Of the original's bytes, unique per owner. Null for a duplicate of another memory (decision 26). */
    imageSha256: text('image_sha256'),
    caption: text('caption'),
    tags: text('tags').array().notNull(),
    isLiked: boolean('is_liked').notNull().default(false),
    /** A calendar day, optionally with a time; without a time zone. */
    memoryDay: date('memory_day', { mode: 'string' }),
    memoryTime: time('memory_time', { precision: 0 }),
    /** Null without a date, and for dates from before this was recorded. */
    dateSource: text('date_source').$type<DateSource>(),
    source: text('source', { enum: ['web', 'mms', 'email', 'caricature'] }).notNull(),
    createdAt: instant('created_at').notNull(),
    /** Null unless it was added in a batch. */
    batchId: uuid('batch_id').references(() => batches.id, { onDelete: 'set null' }),
    deletedAt: instant('deleted_at'),
    /** When the owner said that the home page should not show it again. */
    dismissedAt: instant('dismissed_at'),
    /** The calendar day of `createdAt` in the owner's time zone at that moment. */
    addedDay: date('added_day', { mode: 'string' }).notNull(),
    /** The memory date in local time, else the day it was added. */
    takenAt: localTime('taken_at')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(memory_day, added_day) + coalesce(memory_time, time '00:00')`),
  },
  (table) => [
    // Including the trash, where a photo waits to be restored.
    uniqueIndex('memories_photo_once')
      .on(table.ownerId, table.imageSha256)
      .where(sql`${table.imageSha256} is not null`),
    // Lists never read the trash.
    index('memories_owner_created')
      .on(table.ownerId, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('memories_owner_taken')
      .on(table.ownerId, table.takenAt, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('memories_owner_loved')
      .on(table.ownerId, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null and ${table.isLiked}`),
    // For the trash, and for cascading deletes.
    index('memories_owner_deleted').on(table.ownerId, table.deletedAt, table.id),
    index('memories_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('memories_pet').on(table.petId),
    index('memories_batch')
      .on(table.batchId)
      .where(sql`${table.batchId} is not null`),
  ],
);

/** The search terms of a memory's caption, tags and pet name, normalized by `search-terms`. */
export const memorySearchTerms = pgTable(
  'memory_search_terms',
  {
    ownerId: ownerId(),
    term: text('term').notNull(),
    memoryId: uuid('memory_id')
      .notNull()
      .references(() => memories.id, { onDelete: 'cascade' }),
    /** From the pet's name, and replaced when the pet is renamed or deleted. */
    isOfPet: boolean('is_of_pet').notNull(),
  },
  (table) => [
    // Prefix searches are range scans (the column sorts by code point, see the migration).
    primaryKey({ columns: [table.ownerId, table.term, table.memoryId, table.isOfPet] }),
    index('memory_search_terms_memory').on(table.memoryId),
  ],
);
