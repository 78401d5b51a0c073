import { uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts/users.ts';

/** Every row belongs to a user and is deleted with them. */
export const ownerId = () =>
  uuid('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
