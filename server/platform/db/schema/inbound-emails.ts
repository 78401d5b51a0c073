import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

/** What came of a mail, for the answer to its sender. */
export type EmailOutcome = {
  petName: string | null;
  added: number;
  /** Photos that were sent before. */
  repeated: number;
  /** Why photos were refused, each reason once for each photo. */
  refusals: string[];
  leftOut: number;
  otherFiles: number;
  isEncrypted: boolean;
};

/** A mail to an owner's own address. What it says lies in the object store, until something has come of it. */
export const inboundEmails = pgTable(
  'inbound_emails',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Of its bytes; null while it arrives. */
    sha256: text('sha256'),
    /** Its Message-ID: its sender's own word. Null when it has none. */
    messageId: text('message_id'),
    /**
     * arriving: not acknowledged yet; received: its job is to come; waiting: for its owner's OK; done: all has come of
     * it that will; rejected: its owner did not want it.
     */
    status: text('status', { enum: ['arriving', 'received', 'waiting', 'done', 'rejected'] }).notNull(),
    /** Who the envelope says it is from; empty for what only machines send; null when nobody told us. */
    envelopeSender: text('envelope_sender'),
    /** The domain for which our own receiver found that SPF passes; empty for none; null when it came another way. */
    spfDomain: text('spf_domain'),
    /** Whether something is kept of it in the object store. */
    isStored: boolean('is_stored').notNull(),
    byteSize: integer('byte_size').notNull().default(0),
    /** The address in From, once it was read; null when it names nobody plainly. */
    sender: text('sender'),
    /** Whether that address was shown to be true. */
    isProven: boolean('is_proven').notNull().default(false),
    subject: text('subject').notNull().default(''),
    photoCount: integer('photo_count').notNull().default(0),
    /** When its owner said OK; null when nobody had to. */
    acceptedAt: instant('accepted_at'),
    outcome: jsonb('outcome').$type<EmailOutcome>(),
    /** How often something was begun with it, and when it may be tried next. */
    tries: integer('tries').notNull().default(0),
    tryAt: instant('try_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('inbound_emails_once').on(table.ownerId, table.sha256),
    // Whoever proves nothing may write any Message-ID, and whoever proves to be somebody may take another's.
    uniqueIndex('inbound_emails_proven_once')
      .on(table.ownerId, table.sender, table.messageId)
      .where(sql`${table.isProven}`),
    index('inbound_emails_message').on(table.ownerId, table.messageId),
    index('inbound_emails_due')
      .on(table.tryAt)
      .where(sql`${table.status} = 'received'`),
    index('inbound_emails_waiting')
      .on(table.ownerId, table.createdAt, table.id)
      .where(sql`${table.status} = 'waiting'`),
    index('inbound_emails_created').on(table.createdAt),
  ],
);

/** Photos that were mailed in. The mails may be forgotten already. */
export const mailedPhotos = pgTable(
  'mailed_photos',
  {
    ownerId: ownerId(),
    sha256: text('sha256').notNull(),
    /** Whose memory it is, or will be. */
    emailId: uuid('email_id').notNull(),
    /** The first two that brought it: what comes in the text of a third is a signature. */
    firstEmailIds: uuid('first_email_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.sha256] })],
);

/** Whose mail is taken in besides the owner's own. In lower case. */
export const allowedSenders = pgTable(
  'allowed_senders',
  { ownerId: ownerId(), address: text('address').notNull() },
  (table) => [primaryKey({ columns: [table.ownerId, table.address] })],
);
