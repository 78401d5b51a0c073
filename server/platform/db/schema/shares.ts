import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { caricatures } from './caricatures.ts';
import { contacts } from './contacts.ts';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';

/** A public link to a photo or caricature. Its page is `/p/<token>`. */
export const shares = pgTable(
  'public_links',
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
    index('public_links_owner').on(table.ownerId, table.createdAt),
    // Emails create thousands of shares, of which the owner created few.
    index('public_links_own')
      .on(table.ownerId, table.createdAt)
      .where(sql`${table.contactId} is null and ${table.revokedAt} is null`),
    // One for each contact, and one that the owner created.
    uniqueIndex('public_links_one')
      .on(table.memoryId, sql`coalesce(${table.contactId}, '00000000-0000-0000-0000-000000000000')`)
      .where(sql`${table.revokedAt} is null`),
    uniqueIndex('public_links_one_of_caricature')
      .on(table.caricatureId)
      .where(sql`${table.revokedAt} is null`),
    // For cascading deletes.
    index('public_links_by_contact').on(table.contactId),
    index('public_links_by_caricature').on(table.caricatureId),
    check('public_links_subject', sql`num_nonnulls(${table.memoryId}, ${table.caricatureId}) = 1`),
  ],
);
