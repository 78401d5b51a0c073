import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** Identities at the OpenID Connect provider that sign an account in. */
export const oidcIdentities = pgTable(
  'oidc_identities',
  {
    id: uuid('id').primaryKey(),
    ownerId: ownerId(),
    issuer: text('issuer').notNull(),
    /** Unique at the issuer, and never reassigned there. An email address may be. */
    subject: text('subject').notNull(),
    /** The provider's name for it, only to be shown. */
    label: text('label'),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    uniqueIndex('oidc_identities_subject').on(table.issuer, table.subject),
    uniqueIndex('oidc_identities_owner').on(table.ownerId, table.issuer),
  ],
);

/** Sign-ins that were begun, each bound to one browser. */
export const oidcSignIns = pgTable(
  'oidc_sign_ins',
  {
    /** The SHA-256 of the browser's cookie. */
    tokenHash: text('token_hash').primaryKey(),
    expiresAt: instant('expires_at').notNull(),
    /** When the browser came back. */
    usedAt: instant('used_at'),
    /** The identity it came back with, until it is joined to an account. */
    issuer: text('issuer'),
    subject: text('subject'),
    label: text('label'),
  },
  (table) => [index('oidc_sign_ins_expires').on(table.expiresAt)],
);
