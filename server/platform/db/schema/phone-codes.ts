import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';
import { ownerId } from './owner-id.ts';

/** The code that an account was last texted, to prove a number: at most one, so that a new one replaces the older. */
export const phoneCodes = pgTable('phone_codes', {
  ownerId: ownerId().primaryKey(),
  /** Of what was sent. */
  id: uuid('id').notNull(),
  phoneNumber: text('phone_number').notNull(),
  /** A keyed hash: six digits would be guessed from any other. */
  codeHash: text('code_hash').notNull(),
  wrongTries: integer('wrong_tries').notNull().default(0),
  /** From when on another may be sent to the same number. */
  resendAt: instant('resend_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
