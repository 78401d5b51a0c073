import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** As typed; unique case-insensitively. */
    email: text('email').notNull(),
    username: text('username').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    passwordHash: text('password_hash').notNull(),
    /** Set when the same password got another hash: the one that its sessions and known devices are bound to. */
    boundPasswordHash: text('bound_password_hash'),
    emailVerifiedAt: instant('email_verified_at'),
    /** Unless the address is verified, the account is deleted then. Null for accounts that stay. */
    verifyEmailBy: instant('verify_email_by'),
    /** When an email announced the deletion. */
    deletionWarnedAt: instant('deletion_warned_at'),
    /** E.164. Only set once it is verified. */
    phoneNumber: text('phone_number'),
    phoneVerifiedAt: instant('phone_verified_at'),
    /** When they agreed that photos for caricatures are sent to an external service. */
    caricatureConsentAt: instant('caricature_consent_at'),
    inboundToken: text('inbound_token')
      .notNull()
      .unique()
      .default(sql`left(replace(gen_random_uuid()::text, '-', ''), 24)`),
    /** The IANA time zone that the browser last sent. */
    timeZone: text('time_zone'),
    isAdmin: boolean('is_admin').notNull().default(false),
    /** An administrator invited this person. */
    isInvited: boolean('is_invited').notNull().default(false),
    /** Disabled accounts cannot sign in, receive photos or send emails. */
    disabledAt: instant('disabled_at'),
    /** When an account whose deletion was requested is deleted. Until then it is asleep: a sign-in brings it back. */
    deletionDueAt: instant('deletion_due_at'),
    /** Written at most every ten minutes. */
    lastSeenAt: instant('last_seen_at'),
    /** Null: the installation's limit. */
    storageLimitBytes: bigint('storage_limit_bytes', { mode: 'number' }),
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

/** Single-use tokens in emailed links. Only their SHA-256 is stored. */
export const userTokens = pgTable(
  'user_tokens',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', {
      enum: ['verify-email', 'reset-password', 'start-again', 'secure-account'],
    }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** A link that was handed over does not prove the email address. */
    isEmailed: boolean('is_emailed').notNull().default(true),
    /** The administrator who made it. Null for the owner's own request, and for a link that a command printed. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    /** When it was used or revoked. */
    usedAt: instant('used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('user_tokens_owner').on(table.ownerId)],
);
