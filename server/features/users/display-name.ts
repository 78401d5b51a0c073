import type { UserRow } from './user-queries.ts';

/** What others call an account's owner. */
export function displayNameOf({ firstName, username }: Pick<UserRow, 'firstName' | 'username'>): string {
  return firstName ?? username;
}
