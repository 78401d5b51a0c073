import { boolean, date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { images } from './images.ts';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

export const pets = pgTable(
  'pets',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    name: text('name').notNull(),
    species: text('species', {
      enum: ['dog', 'cat', 'bird', 'fish', 'rabbit', 'hamster', 'other'],
    }).notNull(),
    breed: text('breed'),
    age: text('age'),
    weight: text('weight'),
    birthdayOrGotchaDay: date('birthday_or_gotcha_day', { mode: 'string' }),
    description: text('description'),
    profileImageId: uuid('profile_image_id').references(() => images.id, { onDelete: 'set null' }),
    /** It was imported, and its picture is in another part of the export. */
    awaitsPicture: boolean('awaits_picture').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('pets_owner').on(table.ownerId),
    // For cascading deletes.
    index('pets_profile_image').on(table.profileImageId),
  ],
);
