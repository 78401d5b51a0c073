import { boolean, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';
import { pets } from './pets.ts';

/**
 * Someone's address in the eyes of one owner, kept as a hash: who wants no mail from them, also after the contact is
 * deleted and added again.
 */
export const recipients = pgTable(
  'recipients',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    addressHash: text('address_hash').notNull(),
    /** Unguessable: leads to the pages by which this person stops or changes what they get. */
    token: text('token').notNull().unique(),
    unsubscribedAt: instant('unsubscribed_at'),
    /** When they were told that they had been added: once, however often that happens. */
    welcomedAt: instant('welcomed_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [unique('recipients_address').on(table.ownerId, table.addressHash)],
);

export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** One contact an address. */
    recipientId: uuid('recipient_id')
      .notNull()
      .unique('contacts_recipient_unique')
      .references(() => recipients.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** As typed. */
    email: text('email').notNull(),
    relationship: text('relationship', { enum: ['family', 'friend', 'partner', 'colleague', 'other'] }),
    /** The owner's switch. */
    isActive: boolean('is_active').notNull().default(true),
    /** The contact's own wish. */
    frequency: text('frequency', { enum: ['every', 'weekly'] })
      .notNull()
      .default('every'),
    /** Since when their mail server refuses mail for good. */
    undeliverableAt: instant('undeliverable_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('contacts_owner').on(table.ownerId, table.createdAt, table.id)],
);

/** Pets of which a contact wants no photos. */
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
    // For a pet that goes.
    index('muted_pets_pet').on(table.petId),
  ],
);
