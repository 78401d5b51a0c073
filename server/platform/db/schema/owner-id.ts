import { uuid } from 'drizzle-orm/pg-core';
import { users } from './users.ts';

/** Every row has its owner's id and goes when the owner goes. */
export const ownerId = () =>
  uuid('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
