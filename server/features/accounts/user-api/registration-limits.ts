import type { AppContext } from '../../../platform/context.ts';
import type { RateLimit } from '../../../platform/limits/rate-limits.ts';
import type { UsableInvitation } from '../invitations/accept-invitation.ts';

const TOO_MANY = 'Too many new accounts.';

export type RegistrationLimits = {
  /** Before something tells that a name or address is taken: otherwise any number could be collected. @throws TooManyRequestsError */
  countTaken(): Promise<void>;
  /** Counts the account, unless `create` fails. @throws TooManyRequestsError */
  countAccount<T>(create: () => Promise<T>): Promise<T>;
};

/** For accounts that the operator creates. */
export const NO_REGISTRATION_LIMITS: RegistrationLimits = {
  countTaken: () => Promise.resolve(),
  countAccount: (create) => create(),
};

/** New accounts count as late as possible, so that attempts that fail keep no one out. @throws TooManyRequestsError */
export async function openRegistrationLimits(
  { rateLimits }: Pick<AppContext, 'rateLimits'>,
  { invitation, clientIp }: { invitation: UsableInvitation | null; clientIp: string },
): Promise<RegistrationLimits> {
  const { registrationPerIp, registrationPerDay } = rateLimits;
  // Invitations always work, also where strangers have used up the limits.
  const client = invitation ? `invitation ${invitation.token} ${clientIp}` : clientIp;
  await registrationPerIp.check(client, TOO_MANY);
  if (!invitation) await registrationPerDay.check('all', TOO_MANY);
  return {
    countTaken: () => consumeOrGiveBack(registrationPerIp, client),
    countAccount: (create) => {
      const createWithinDay = () => withRefund(registrationPerDay, 'all', create);
      return withRefund(registrationPerIp, client, invitation ? create : createWithinDay);
    },
  };
}

async function withRefund<T>(limit: RateLimit, key: string, act: () => Promise<T>): Promise<T> {
  await consumeOrGiveBack(limit, key);
  try {
    return await act();
  } catch (error) {
    await limit.giveBack(key);
    throw error;
  }
}

/** A rejected use is counted as well. */
async function consumeOrGiveBack(limit: RateLimit, key: string): Promise<void> {
  try {
    await limit.consume(key, TOO_MANY);
  } catch (error) {
    await limit.giveBack(key);
    throw error;
  }
}
