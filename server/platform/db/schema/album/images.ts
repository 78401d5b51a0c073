import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** Served at `/objects/<id>`. */
export const images = pgTable(
  'images',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    objectKey: text('object_key').notNull().unique(),
    /** Detected from the bytes. */
    contentType: text('content_type').notNull(),
    byteSize: integer('byte_size').notNull(),
    sha256: text('sha256').notNull(),
    /** The bytes of each copy, by its name in `image-variants`. Null until the job has counted those of an earlier release. */
    copyBytes: jsonb('copy_bytes').$type<Record<string, number>>(),
    /** `COPY_VERSION` of the inspection and of the copies. */
    copyVersion: integer('copy_version').notNull().default(1),
    /** The original has several frames. */
    isAnimated: boolean('is_animated').notNull().default(false),
    /** Not every browser shows the original upright. */
    isTurned: boolean('is_turned').notNull().default(false),
    /** In pixels, of the upright image. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** A thumbhash in base64. */
    placeholder: text('placeholder').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('images_owner_sha256').on(table.ownerId, table.sha256),
    index('images_uncounted')
      .on(table.id)
      .where(sql`${table.copyBytes} is null`),
  ],
);
