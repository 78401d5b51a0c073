import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { deleteIdentities } from '../oidc/oidc-queries.ts';
import { deletePasskeys } from '../passkeys/passkey-queries.ts';
import { deleteSecondFactorsSince } from '../second-factors/second-factor-queries.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { endPendingEmailChanges } from './email-change-queries.ts';
import { consumeToken, invalidLink } from './email-verification.ts';
import { createResetToken } from '../users/passwords/password-reset-link.ts';
import { hashPassword } from '../users/passwords/password.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import { updateUser } from '../users/user-queries.ts';
import { findUserTokenOwner, revokeUserTokens } from '../users/user-token-queries.ts';

/** An authenticator app that a thief set up shortly before would keep the owner out. */
const SECOND_FACTOR_AGE_MS = 48 * 60 * 60 * 1000;

/**
 * For an owner who says "This was not me" to an email about the account. The person who did it may know the password, and may
 * have added a passkey or an authenticator app: none of these works afterwards.
 * @returns the token of a link to choose a new password
 * @throws InvalidError for an invalid link
 */
export async function secureAccount(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'keyedHash' | 'mailer'>,
  token: string,
  source: RequestSource,
): Promise<{ userId: string; resetToken: string }> {
  const { db, clock } = context;
  // Hashing is expensive, and this endpoint is public.
  if (!(await findUserTokenOwner(db, 'secure-account', token, clock.now()))) throw invalidLink();
  const passwordHash = await hashPassword(context, randomBytes(32).toString('base64url'));
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      const { ownerId: userId, createdAt } = await consumeToken(context, tx, 'secure-account', token);
      const user = await updateUser(tx, userId, { passwordHash });
      await revokeUserTokens(tx, userId, 'reset-password');
      await endPendingEmailChanges(tx, userId, source.now);
      await endAllAccess(tx, userId, new Date(createdAt.getTime() - SECOND_FACTOR_AGE_MS));
      await notifyOwner(context, tx, user, 'account-secured', source);
      return { userId, resetToken: await createResetToken(context, tx, userId) };
    }),
  );
}

/** All ways to sign in but the password, and second factors that were set up since then. */
export async function endAllAccess(tx: Tx, userId: string, since: Date): Promise<void> {
  await deleteSessions(tx, userId);
  await deleteIdentities(tx, userId);
  await deletePasskeys(tx, userId);
  await deleteSecondFactorsSince(tx, userId, since);
}
