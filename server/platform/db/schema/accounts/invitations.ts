import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../instant.ts';
import { ownerId } from '../owner-id.ts';

/** Open invitations, each for one account; used and revoked ones are deleted. Of tokens only the SHA-256 is stored. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    /** The administrator who created it. */
    ownerId: ownerId(),
    /** The only address that it can register. */
    email: text('email'),
    /** Of the link that administrators see and hand over. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Of the emailed link, which verifies the address. */
    emailedTokenHash: text('emailed_token_hash').unique(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('invitations_owner').on(table.ownerId)],
);
