import { v7 as uuidv7 } from 'uuid';
import type { PasswordResetLink } from '#shared/admin';
import type { AppContext } from '../../platform/context.ts';
import { USER_TOKEN_PATHS } from './send-account-email-job.ts';
import { storeUserToken, USER_TOKEN_LIFETIMES_MS } from './user-token-queries.ts';

/** A link to hand over. Works as the emailed one, but does not prove the email address. */
export async function createPasswordResetLink(
  { db, clock, keyedHash, baseUrl }: Pick<AppContext, 'db' | 'clock' | 'keyedHash' | 'baseUrl'>,
  ownerId: string,
): Promise<PasswordResetLink> {
  const purpose = 'reset-password';
  const id = uuidv7();
  const token = keyedHash('account-token', id);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS[purpose]);
  await storeUserToken(db, token, { id, ownerId, purpose, isEmailed: false, createdAt, expiresAt });
  return {
    url: `${baseUrl.origin()}${USER_TOKEN_PATHS[purpose]}#${token}`,
    expiresAt: expiresAt.toISOString(),
  };
}
