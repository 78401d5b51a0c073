import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { caricatures } from './caricatures.ts';
import { contacts } from './contacts.ts';
import { memories } from './memories.ts';

/** A public link to a photo or caricature. Its page is `/p/<token>`. */
export const shares = pgTable(
  'shares',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    token: text('token').notNull().unique(),
    /** Either this or `caricatureId` is set. */
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'cascade' }),
    caricatureId: uuid('caricature_id').references(() => caricatures.id, { onDelete: 'cascade' }),
    /** The contact whose email has this link. Null for a link that the owner created. */
    contactId: uuid('contact_id').references(() => contacts.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('shares_owner').on(table.ownerId, table.createdAt),
    // Emails create thousands of shares, of which the owner created few.
    index('shares_active')
      .on(table.ownerId, table.createdAt)
      .where(sql`${table.contactId} is null and ${table.revokedAt} is null`),
    // One for each contact, and one that the owner created.
    uniqueIndex('shares_memory_once')
      .on(table.memoryId, sql`coalesce(${table.contactId}, '00000000-0000-0000-0000-000000000000')`)
      .where(sql`${table.revokedAt} is null`),
    uniqueIndex('shares_caricature_once')
      .on(table.caricatureId)
      .where(sql`${table.revokedAt} is null`),
    // For cascading deletes.
    index('shares_contact').on(table.contactId),
    index('shares_caricature').on(table.caricatureId),
    check('shares_subject', sql`num_nonnulls(${table.memoryId}, ${table.caricatureId}) = 1`),
  ],
);
