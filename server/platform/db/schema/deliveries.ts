import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { contacts } from './contacts.ts';
import { instant } from './instant.ts';
import { memories } from './memories.ts';
import { ownerId } from './owner-id.ts';

/** One email to one contact, fixed before it is sent for the first time. Its id makes its Message-ID. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** welcome: the first one, that they were added; photos: new ones; digest: those of a week. */
    kind: text('kind', { enum: ['welcome', 'photos', 'digest'] }).notNull(),
    status: text('status', { enum: ['waiting', 'sent', 'failed', 'cancelled'] }).notNull(),
    /** When it may be tried next. */
    tryAt: instant('try_at').notNull(),
    /** A process is sending it, and extends this while it does: a lease in the past is one of a process that died. */
    leaseExpiresAt: instant('lease_expires_at'),
    /** Counts the leases, and so tells them apart: who has lost one changes nothing any more. */
    tries: integer('tries').notNull().default(0),
    firstTriedAt: instant('first_tried_at'),
    sentAt: instant('sent_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('mails_due')
      .on(table.tryAt)
      .where(sql`${table.status} = 'waiting'`),
    index('mails_contact').on(table.contactId),
    index('mails_owner_sent').on(table.ownerId, table.sentAt),
  ],
);

/** One memory owed to one contact; without a mail until it is part of one. */
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
    mailId: uuid('mail_id').references(() => mails.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('deliveries_once').on(table.memoryId, table.contactId),
    index('deliveries_ungrouped')
      .on(table.ownerId, table.contactId)
      .where(sql`${table.mailId} is null`),
    index('deliveries_mail').on(table.mailId),
    index('deliveries_contact').on(table.contactId),
  ],
);
