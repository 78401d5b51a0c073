import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';
import { pets } from './pets.ts';

/** Where a photo of a message can be fetched, and what its sender's carrier says that it is. */
export type MessageMedia = { url: string; contentType: string };

/** A message of an owner's that was taken in, once; its job makes of it what it says. */
export const inboundMessages = pgTable(
  'inbound_messages',
  {
    id: uuid('id').primaryKey(),
    /** Whose it is, as of when it came. */
    ownerId: ownerId(),
    provider: text('provider', { enum: ['twilio', 'email'] }).notNull(),
    providerMessageId: text('provider_message_id').notNull(),
    /** The phone number (E.164) or email address that it came from. */
    sender: text('sender').notNull(),
    /** photos: new memories; undo, move: what becomes of the last ones; words: nothing that we understand. */
    kind: text('kind', { enum: ['photos', 'undo', 'move', 'words'] }).notNull(),
    /** The pet that it names, as of when it came. */
    petId: uuid('pet_id').references(() => pets.id, { onDelete: 'set null' }),
    caption: text('caption'),
    media: jsonb('media').$type<MessageMedia[]>().notNull(),
    /** accepted: its job is to come; done: all has come of it that will. */
    status: text('status', { enum: ['accepted', 'done'] }).notNull(),
    /** How often its job has begun. */
    tries: integer('tries').notNull().default(0),
    /** When its memories were taken back by a later message. */
    undoneAt: instant('undone_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('inbound_messages_once').on(table.ownerId, table.provider, table.providerMessageId),
    // A text has one owner: repeated after its number has moved, it is still the first one's.
    uniqueIndex('inbound_messages_text_once')
      .on(table.providerMessageId)
      .where(sql`${table.provider} = 'twilio'`),
    index('inbound_messages_sender').on(table.ownerId, table.sender, table.createdAt),
    // For a pet that goes.
    index('inbound_messages_pet').on(table.petId),
    index('inbound_messages_created').on(table.createdAt),
  ],
);
