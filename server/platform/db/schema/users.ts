import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from './instant.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** As typed; unique without regard to case. */
    email: text('email').notNull(),
    username: text('username').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    passwordHash: text('password_hash').notNull(),
    emailVerifiedAt: instant('email_verified_at'),
    /** E.164, and there only once it is verified. */
    phoneNumber: text('phone_number'),
    phoneVerifiedAt: instant('phone_verified_at'),
    /** When they agreed that photos they choose for a caricature go to the service that draws it. */
    caricatureConsentAt: instant('caricature_consent_at'),
    /** What stands before the @ of the address for photos: unguessable. */
    inboundToken: text('inbound_token')
      .notNull()
      .unique()
      .default(sql`left(replace(gen_random_uuid()::text, '-', ''), 24)`),
    /** The IANA zone that the browser last sent. */
    timeZone: text('time_zone'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_email_unique').on(sql`lower(${table.email})`),
    uniqueIndex('users_username_unique').on(sql`lower(${table.username})`),
    uniqueIndex('users_phone_unique')
      .on(table.phoneNumber)
      .where(sql`${table.phoneVerifiedAt} is not null`),
  ],
);

/** Single-use tokens that are mailed to an account: only their SHA-256 is kept. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['verify-email', 'reset-password'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    expiresAt: instant('expires_at').notNull(),
    /** Or made void. */
    usedAt: instant('used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('account_tokens_owner').on(table.ownerId)],
);
