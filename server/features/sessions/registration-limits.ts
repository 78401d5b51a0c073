import type { AppContext } from '../../platform/context.ts';
import { AppError, TooManyRequestsError } from '../../platform/errors.ts';
import type { RateLimit } from '../../platform/rate-limits.ts';
import type { UsableInvite } from '../invites/accept-invite.ts';

const TOO_MANY = 'Too many new accounts.';

/**
 * Counts new accounts. Failed attempts give their use back, otherwise strangers could close the door for a day. The one
 * exception tells that a name or address is taken: it counts for the client, or for the invite, which could otherwise
 * collect any number of them. @throws TooManyRequestsError
 */
export async function limitRegistrations<T>(
  { rateLimits }: Pick<AppContext, 'rateLimits'>,
  { invite, clientIp }: { invite: UsableInvite | null; clientIp: string },
  register: () => Promise<T>,
): Promise<T> {
  const { registrationPerIp, registrationPerDay } = rateLimits;
  // Invites always work, also where strangers have used up the limits.
  const client = invite ? `invite ${invite.token}` : clientIp;
  const limitPerDay = () => withRefund(registrationPerDay, 'all', register, { countsFailure: () => false });
  return withRefund(registrationPerIp, client, invite ? register : limitPerDay, { countsFailure: isTaken });
}

/** Gives the use back if `act` fails, or if it was refused: a refused use is counted as well. */
async function withRefund<T>(
  limit: RateLimit,
  key: string,
  act: () => Promise<T>,
  { countsFailure }: { countsFailure: (error: unknown) => boolean },
): Promise<T> {
  try {
    await limit.consume(key, TOO_MANY);
    return await act();
  } catch (error) {
    if (!countsFailure(error)) await limit.giveBack(key);
    throw error;
  }
}

/** The limit of emails tells it as well: only the owner of an unverified account is sent one. */
function isTaken(error: unknown): boolean {
  if (error instanceof TooManyRequestsError)
    return error.details.security?.details?.['limit'] === 'userEmailPerAddress';
  return error instanceof AppError && error.status === 409;
}
