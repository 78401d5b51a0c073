import { boolean, date, index, pgTable, text, time, uuid } from 'drizzle-orm/pg-core';
import { images } from './images.ts';
import { instant } from './instant.ts';
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
    /** A day, and perhaps a time of that day; no zone. */
    memoryDay: date('memory_day', { mode: 'string' }),
    memoryTime: time('memory_time', { precision: 0 }),
    source: text('source', { enum: ['web', 'mms', 'email', 'caricature'] }).notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('memories_owner_created').on(table.ownerId, table.createdAt, table.id),
    index('memories_pet').on(table.petId),
  ],
);
