import { sql } from 'drizzle-orm';
import { boolean, date, index, pgTable, primaryKey, text, time, uuid } from 'drizzle-orm/pg-core';
import { images } from './images.ts';
import { instant, localTime } from './instant.ts';
import { ownerId } from './owner-id.ts';
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
    caption: text('caption'),
    tags: text('tags').array().notNull(),
    isLiked: boolean('is_liked').notNull().default(false),
    /** A calendar day, optionally with a time; without a time zone. */
    memoryDay: date('memory_day', { mode: 'string' }),
    memoryTime: time('memory_time', { precision: 0 }),
    source: text('source', { enum: ['web', 'mms', 'email', 'caricature'] }).notNull(),
    createdAt: instant('created_at').notNull(),
    deletedAt: instant('deleted_at'),
    /** The calendar day of `createdAt` in the owner's time zone at that moment. */
    addedDay: date('added_day', { mode: 'string' }).notNull(),
    /** The memory date in local time, else the day it was added. */
    takenAt: localTime('taken_at')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(memory_day, added_day) + coalesce(memory_time, time '00:00')`),
  },
  (table) => [
    // Lists never read the trash.
    index('memories_owner_created')
      .on(table.ownerId, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('memories_owner_taken')
      .on(table.ownerId, table.takenAt, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    // For the trash, and for cascading deletes.
    index('memories_owner_deleted').on(table.ownerId, table.deletedAt, table.id),
    index('memories_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('memories_pet').on(table.petId),
  ],
);

/** The search terms of a memory's caption, tags and pet name, normalized by `search-terms`. */
export const memorySearchTerms = pgTable(
  'memory_words',
  {
    ownerId: ownerId(),
    term: text('word').notNull(),
    memoryId: uuid('memory_id')
      .notNull()
      .references(() => memories.id, { onDelete: 'cascade' }),
    /** From the pet's name, and replaced when the pet is renamed or deleted. */
    isOfPet: boolean('is_of_pet').notNull(),
  },
  (table) => [
    // Prefix searches are range scans (the column sorts by code point, see the migration).
    primaryKey({ columns: [table.ownerId, table.term, table.memoryId, table.isOfPet] }),
    index('memory_words_memory').on(table.memoryId),
  ],
);
