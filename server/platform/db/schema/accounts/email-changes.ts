import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** Requests to change an account's email address. Of tokens only the SHA-256 is stored. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    confirmTokenHash: text('confirm_token_hash').notNull().unique(),
    undoTokenHash: text('undo_token_hash').notNull().unique(),
    /** Until when the new address can be confirmed. */
    expiresAt: instant('expires_at').notNull(),
    /** When the new address was confirmed. */
    changedAt: instant('changed_at'),
    /** Until when the old address can undo it. Null if that was never verified. */
    undoUntil: instant('undo_until'),
    /** When it was replaced by another request, cancelled or undone. */
    endedAt: instant('ended_at'),
    undoneAt: instant('undone_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('email_changes_owner').on(table.ownerId)],
);
