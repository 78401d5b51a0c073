import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** The verification code last sent to a user; a new one replaces it. */
export const phoneCodes = pgTable('phone_codes', {
  ownerId: ownerId().primaryKey(),
  id: uuid('id').notNull(),
  phoneNumber: text('phone_number').notNull(),
  /** Keyed: an unkeyed hash of six digits can be reversed by trying all of them. */
  codeHash: text('code_hash').notNull(),
  failedAttempts: integer('failed_attempts').notNull().default(0),
  /** When another code may be sent to the same number. */
  resendAt: instant('resend_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
