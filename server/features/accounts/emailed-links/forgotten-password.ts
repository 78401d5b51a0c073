import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { undoUnless } from '../../../platform/db/undo-unless.ts';
import { isWithinLimit } from '../../../platform/limits/rate-limits.ts';
import type { SecuritySource } from '../../../platform/logging/security-log.ts';
import { enqueueAccountEmail, sendAccountEmailJob } from '../users/send-account-email-job.ts';
import { invalidLink } from './email-verification.ts';
import { findUserByEmail, type UserRow } from '../users/user-queries.ts';
import { findUserTokenOwner } from '../users/user-token-queries.ts';

/** A browser that has signed in to the account counts for itself, so that strangers cannot use up its limit. */
type Asker = { clientIp: string; findKnownDevice: (user: UserRow) => string | null };

type Context = Pick<AppContext, 'db' | 'jobs' | 'rateLimits'>;

/**
 * Each address takes the same queries, in the same order: otherwise the response time would tell which have an account.
 * @returns whether a link is sent, and the user's id, for the security log only
 */
export async function requestPasswordReset(
  context: Context,
  email: string,
  asker: Asker,
): Promise<{ userId: string | null; isSent: boolean }> {
  const { db } = context;
  const user = await findUserByEmail(db, email);
  const isSent = await isWithinLimits(context, user, asker);
  // For an unknown address the job does nothing.
  const enqueue = (tx: Tx) => enqueueAccountEmail(context, tx, user?.id ?? uuidv7(), 'reset-password');
  await db.transaction(async (tx) => {
    await undoUnless(isSent, tx, () => enqueue(tx));
    // Undone as well, and a commit that notifies takes a millisecond longer.
    await context.jobs.wake(tx, sendAccountEmailJob);
  });
  return { userId: user?.id ?? null, isSent };
}

/** The address of a link's account. @throws InvalidError for an invalid link */
export async function previewPasswordReset(
  { db, clock, securityLog }: Pick<AppContext, 'db' | 'clock' | 'securityLog'>,
  token: string,
  request: NonNullable<SecuritySource['request']>,
): Promise<{ email: string }> {
  const owner = await findUserTokenOwner(db, 'reset-password', token, clock.now());
  if (!owner) securityLog.record('unknown-link', 'failure', { request, details: { of: 'reset-password' } });
  if (!owner || owner.disabledAt) throw invalidLink();
  return { email: owner.email };
}

async function isWithinLimits(
  { rateLimits }: Context,
  user: UserRow | null,
  { clientIp, findKnownDevice }: Asker,
): Promise<boolean> {
  const account = user?.id ?? 'unknown';
  const device = user && findKnownDevice(user);
  const client = device ? `device ${device}` : clientIp;
  const isWithinOfClient = await isWithinLimit(rateLimits.passwordResetPerUserAndIp, `${account} ${client}`);
  if (device) return isWithinOfClient;
  const { passwordResetPerUser, passwordResetOfUnknown } = rateLimits;
  // A client beyond its own limit must not use up that of all.
  const key = isWithinOfClient ? account : `${account} rejected`;
  return (await isWithinLimit(user ? passwordResetPerUser : passwordResetOfUnknown, key)) && isWithinOfClient;
}
