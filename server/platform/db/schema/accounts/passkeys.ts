import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';
import { users } from './users.ts';

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    /** Chosen by the authenticator; base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, as base64url. */
    publicKey: text('public_key').notNull(),
    /** Of its uses, as the authenticator counts them; 0 if it does not. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** How browsers reach the authenticator. */
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    lastUsedAt: instant('last_used_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('passkeys_owner').on(table.ownerId)],
);

/** What a passkey must sign, once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    challenge: text('challenge').primaryKey(),
    /** Who may register a passkey with it; null: for signing in. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('passkey_challenges_owner').on(table.ownerId),
    index('passkey_challenges_expires').on(table.expiresAt),
  ],
);
