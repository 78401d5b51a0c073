import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../../platform/context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { enqueueAccountEmail, USER_TOKEN_PATHS } from '../send-account-email-job.ts';
import { lockUser } from '../user-queries.ts';
import { USER_TOKEN_LIFETIMES_MS } from '../user-token-lifetimes.ts';
import { revokeLinksOfOthers, storeUserToken } from '../user-token-queries.ts';

/**
 * The URL of a link to hand over. Works as the emailed one, but does not verify the address. Ends the earlier ones of its kind,
 * and tells the account's owner by email. @param createdBy an administrator; null for a command
 */
export async function createPasswordResetLink(
  context: Pick<AppContext, 'clock' | 'jobs' | 'baseUrl'>,
  tx: Tx,
  ownerId: string,
  createdBy: string | null,
): Promise<string> {
  const { clock, baseUrl } = context;
  const purpose = 'reset-password';
  const id = uuidv7();
  const token = randomBytes(32).toString('base64url');
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS[purpose]);
  await lockUser(tx, ownerId);
  await revokeLinksOfOthers(tx, ownerId);
  const row = { id, ownerId, purpose, isEmailed: false, createdBy, createdAt, expiresAt } as const;
  await storeUserToken(tx, token, row);
  await enqueueAccountEmail(context, tx, ownerId, 'reset-link-created');
  return `${baseUrl.origin()}${USER_TOKEN_PATHS[purpose]}#${token}`;
}

/** Of a page that an emailed link opened, which goes on with a new password. */
export async function createResetToken(
  { clock, keyedHash }: Pick<AppContext, 'clock' | 'keyedHash'>,
  tx: Tx,
  ownerId: string,
): Promise<string> {
  const id = uuidv7();
  const token = keyedHash('account-token', id);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS['reset-password']);
  const row = { id, ownerId, purpose: 'reset-password', isEmailed: true, createdBy: null } as const;
  await storeUserToken(tx, token, { ...row, createdAt, expiresAt });
  return token;
}
