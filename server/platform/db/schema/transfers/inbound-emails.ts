import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import type { RejectionReason } from './uploads.ts';

/** The result of an email, for the reply to its sender. */
export type EmailOutcome = {
  petName: string | null;
  added: number;
  /** Photos that an earlier email brought. */
  repeated: number;
  rejections: RejectionReason[];
  leftOut: number;
  /** Pictures in the text that look like logos. Missing in emails of earlier releases. */
  logos?: number;
  otherFiles: number;
  isEncrypted: boolean;
};

/** Without a `petId`, the subject decides, as it does for known senders. */
type AcceptOptions = { petId?: string | null | undefined; emailContacts?: boolean | undefined };

/** An email to an account's address for photos. Its bytes are in the object store until it is done. */
export const inboundEmails = pgTable(
  'inbound_emails',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Of its bytes; null while it is arriving. */
    sha256: text('sha256'),
    /** Its Message-ID, which anyone can forge. Null when it has none. */
    messageId: text('message_id'),
    /** arriving: not acknowledged yet; received: to be processed; waiting: held for its owner; rejected: by its owner. */
    status: text('status', { enum: ['arriving', 'received', 'waiting', 'done', 'rejected'] }).notNull(),
    /** The envelope's sender; empty for bounces; null when the provider does not pass it. */
    envelopeSender: text('envelope_sender'),
    /** The domain whose SPF passed; empty for none; null when our own SMTP receiver did not check it. */
    spfDomain: text('spf_domain'),
    /** Whether its bytes may be in the object store. */
    isStored: boolean('is_stored').notNull(),
    byteSize: integer('byte_size').notNull().default(0),
    /** The address in From, once it was parsed; null when that is ambiguous. */
    sender: text('sender'),
    isAuthenticated: boolean('is_authenticated').notNull().default(false),
    subject: text('subject').notNull().default(''),
    photoCount: integer('photo_count').notNull().default(0),
    /** When its owner accepted it; null when it was never held. */
    acceptedAt: instant('accepted_at'),
    /** What its owner chose then; null by default. */
    acceptOptions: jsonb('accept_options').$type<AcceptOptions>(),
    outcome: jsonb('outcome').$type<EmailOutcome>(),
    /** Of Gmail's request to confirm that it may forward email here. Deleted after a day. */
    forwardingText: text('forwarding_text'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('inbound_emails_once').on(table.ownerId, table.sha256),
    // Verified email only: anyone can write any Message-ID. Per sender: a verified one can copy another's.
    uniqueIndex('inbound_emails_authenticated_once')
      .on(table.ownerId, table.sender, table.messageId)
      .where(sql`${table.isAuthenticated}`),
    index('inbound_emails_message').on(table.ownerId, table.messageId),
    index('inbound_emails_due')
      .on(table.nextAttemptAt)
      .where(sql`${table.status} = 'received'`),
    index('inbound_emails_waiting')
      .on(table.ownerId, table.createdAt, table.id)
      .where(sql`${table.status} = 'waiting'`),
    index('inbound_emails_forwarding')
      .on(table.ownerId, table.createdAt)
      .where(sql`${table.forwardingText} is not null`),
    index('inbound_emails_created').on(table.createdAt),
  ],
);

/** Photos that came by email. The emails may be purged already. */
export const emailPhotos = pgTable(
  'email_photos',
  {
    ownerId: ownerId(),
    sha256: text('sha256').notNull(),
    /** The email that claimed it. */
    emailId: uuid('email_id').notNull(),
    /** The first two that brought it: embedded in the text of a third, it is a signature. */
    firstEmailIds: uuid('first_email_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.sha256] })],
);

/** Addresses besides the owner's own whose photos are added at once. In lower case. */
export const allowedSenders = pgTable(
  'allowed_senders',
  { ownerId: ownerId(), address: text('address').notNull() },
  (table) => [primaryKey({ columns: [table.ownerId, table.address] })],
);
