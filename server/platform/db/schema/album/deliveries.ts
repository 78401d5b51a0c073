import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { contacts } from './contacts.ts';
import { memories } from './memories.ts';

/** An email to a contact. Its deliveries are fixed before the first attempt; its Message-ID is derived from its id. */
export const emails = pgTable(
  'emails',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** welcome: tells a new contact that they were added; photos: new photos; digest: a week's photos. */
    kind: text('kind', { enum: ['welcome', 'photos', 'digest'] }).notNull(),
    status: text('status', { enum: ['waiting', 'sent', 'failed', 'cancelled'] }).notNull(),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    /** Extended by the process that is sending the email: once it is in the past, that process has died. */
    leaseExpiresAt: instant('lease_expires_at'),
    /** Incremented by each lease, so that a process that lost its lease can no longer change the row. */
    attempts: integer('attempts').notNull().default(0),
    firstAttemptAt: instant('first_attempt_at'),
    sentAt: instant('sent_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('emails_due')
      .on(table.nextAttemptAt)
      .where(sql`${table.status} = 'waiting'`),
    index('emails_contact').on(table.contactId),
    index('emails_owner_sent').on(table.ownerId, table.sentAt),
  ],
);

export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    memoryId: uuid('memory_id')
      .notNull()
      .references(() => memories.id, { onDelete: 'cascade' }),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** Null while the delivery is pending. */
    emailId: uuid('email_id').references(() => emails.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('deliveries_once').on(table.memoryId, table.contactId),
    index('deliveries_ungrouped')
      .on(table.ownerId, table.contactId)
      .where(sql`${table.emailId} is null`),
    index('deliveries_email').on(table.emailId),
    index('deliveries_contact').on(table.contactId),
  ],
);
