import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { pets } from '../album/pets.ts';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** A photo's URL at the provider, and the type that the sender's carrier claims. */
export type MessageMedia = { url: string; contentType: string };

/** An SMS, or an email with photos. */
export const inboundMessages = pgTable(
  'inbound_messages',
  {
    id: uuid('id').primaryKey(),
    /** The owner of the sender's number or address when the message arrived. */
    ownerId: ownerId(),
    provider: text('provider', { enum: ['twilio', 'email'] }).notNull(),
    providerMessageId: text('provider_message_id').notNull(),
    /** A phone number (E.164) or an email address. */
    sender: text('sender').notNull(),
    /** photos: adds memories; undo, move, like, unlike: change the last ones added; no-photos: no command either. */
    kind: text('kind', { enum: ['photos', 'undo', 'move', 'like', 'unlike', 'no-photos'] }).notNull(),
    petId: uuid('pet_id').references(() => pets.id, { onDelete: 'set null' }),
    caption: text('caption'),
    media: jsonb('media').$type<MessageMedia[]>().notNull(),
    /** accepted: to be processed; done: processed and answered. */
    status: text('status', { enum: ['accepted', 'done'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When a later UNDO deleted its memories. */
    undoneAt: instant('undone_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    unique('inbound_messages_once').on(table.ownerId, table.provider, table.providerMessageId),
    // Across owners: repeated after its number has moved to another account, an SMS still belongs to the first.
    uniqueIndex('inbound_messages_sms_once')
      .on(table.providerMessageId)
      .where(sql`${table.provider} = 'twilio'`),
    index('inbound_messages_sender').on(table.ownerId, table.sender, table.createdAt),
    // For the foreign key, when a pet is deleted.
    index('inbound_messages_pet').on(table.petId),
    index('inbound_messages_created').on(table.createdAt),
  ],
);
