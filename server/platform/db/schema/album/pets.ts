import { boolean, date, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { images } from './images.ts';

type PictureCrop = { left: number; top: number; size: number; width: number; height: number };

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
    /** What the profile image was cropped from. Null where only the crop was kept, before there was this column. */
    profileOriginalId: uuid('profile_original_id').references(() => images.id, { onDelete: 'set null' }),
    /** In pixels of the upright original, whose size is `width` and `height`. */
    profileCrop: jsonb('profile_crop').$type<PictureCrop>(),
    /** It was imported, and its picture is in another part of the export. */
    awaitsPicture: boolean('awaits_picture').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('pets_owner').on(table.ownerId),
    // For cascading deletes.
    index('pets_profile_image').on(table.profileImageId),
    index('pets_profile_original').on(table.profileOriginalId),
  ],
);
