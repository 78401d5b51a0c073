import { boolean, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { pets } from './pets.ts';

/** Outlives the contact, so that deleting and adding them again does not resubscribe them. Every contact has an entry. */
export const suppressionEntries = pgTable(
  'suppression_entries',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    addressHash: text('address_hash').notNull(),
    /** Random. In the links of the unsubscribe and preferences pages. */
    token: text('token').notNull().unique(),
    unsubscribedAt: instant('unsubscribed_at'),
    /** When the welcome email was enqueued, which each address gets once. */
    welcomedAt: instant('welcomed_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [unique('suppression_entries_address').on(table.ownerId, table.addressHash)],
);

export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Unique: an owner has one contact per email address. */
    suppressionEntryId: uuid('suppression_entry_id')
      .notNull()
      .unique('contacts_suppression_entry_unique')
      .references(() => suppressionEntries.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    email: text('email').notNull(),
    relationship: text('relationship', { enum: ['family', 'friend', 'partner', 'colleague', 'other'] }),
    /** Set by the owner. */
    isActive: boolean('is_active').notNull().default(true),
    /** Set by the contact on the preferences page. */
    frequency: text('frequency', { enum: ['every', 'weekly'] })
      .notNull()
      .default('every'),
    /** When their mail server rejected the address permanently. */
    undeliverableAt: instant('undeliverable_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('contacts_owner').on(table.ownerId, table.createdAt, table.id)],
);

/** Pets whose photos a contact does not want. */
export const mutedPets = pgTable(
  'muted_pets',
  {
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    petId: uuid('pet_id')
      .notNull()
      .references(() => pets.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.contactId, table.petId] }),
    // For cascading deletes.
    index('muted_pets_pet').on(table.petId),
  ],
);
