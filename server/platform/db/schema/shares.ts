import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { caricatures } from './caricatures.ts';
import { contacts } from './contacts.ts';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';

/** A page of one picture that whoever knows its address may see, without an account. */
export const publicLinks = pgTable(
  'public_links',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Unguessable. */
    token: text('token').notNull().unique(),
    /** What it shows: a memory or a caricature. */
    memoryId: uuid('memory_id').references(() => memories.id, { onDelete: 'cascade' }),
    caricatureId: uuid('caricature_id').references(() => caricatures.id, { onDelete: 'cascade' }),
    /** For whom it was made: goes when they go. Null for one that the owner made to share. */
    contactId: uuid('contact_id').references(() => contacts.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('public_links_owner').on(table.ownerId, table.createdAt),
    // Mails bring thousands, among which the owner's own are few.
    index('public_links_own')
      .on(table.ownerId, table.createdAt)
      .where(sql`${table.contactId} is null and ${table.revokedAt} is null`),
    // One for each contact, and one for anyone.
    uniqueIndex('public_links_one')
      .on(table.memoryId, sql`coalesce(${table.contactId}, '00000000-0000-0000-0000-000000000000')`)
      .where(sql`${table.revokedAt} is null`),
    uniqueIndex('public_links_one_of_caricature')
      .on(table.caricatureId)
      .where(sql`${table.revokedAt} is null`),
    // For what goes.
    index('public_links_by_contact').on(table.contactId),
    index('public_links_by_caricature').on(table.caricatureId),
    check('public_links_subject', sql`num_nonnulls(${table.memoryId}, ${table.caricatureId}) = 1`),
  ],
);
