import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** The key that a user shares with an authenticator app. */
export const totpKeys = pgTable('totp_keys', {
  ownerId: ownerId().primaryKey(),
  encryptedSecret: text('encrypted_secret').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** Null until a code has confirmed it. */
  confirmedAt: instant('confirmed_at'),
  /** The time step of the last accepted code. Neither it nor an earlier one is accepted again. */
  lastStep: integer('last_step'),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    ownerId: ownerId(),
    /** Keyed. */
    codeHash: text('code_hash').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    usedAt: instant('used_at'),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.codeHash] })],
);
