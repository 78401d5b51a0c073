import { SIGN_IN_SLOWED } from '#shared/accounts/session';
import type { AppContext } from '../../../../platform/context.ts';
import { TooManyRequestsError } from '../../../../platform/errors.ts';
import { LimitReachedError } from '../../../../platform/limits/rate-limits.ts';
import { formatDuration } from '../../../../platform/time/format-duration.ts';

const FIRST_DELAY_SECONDS = 60;

type Context = Pick<AppContext, 'config' | 'rateLimits'>;

type SignInAttempt = {
  /** The password was not checked. */
  giveBack(): Promise<void>;
  succeed(): Promise<void>;
};

/**
 * Slows down guesses at one account from many addresses. After a number of failures one attempt is allowed per minute, then
 * per two minutes, up to LOGIN_ATTEMPTS_WINDOW_MINUTES. `key` is the account, or a known device of it, so that others
 * cannot slow down its owner. The first attempt from a `network` does not wait, unless too many networks guess: otherwise
 * strangers could take each attempt that is allowed. Counts before the password is checked, so that concurrent guesses count.
 * @throws TooManyRequestsError
 */
export async function beginAttempt(
  context: Context,
  key: string,
  network: string | null,
): Promise<SignInAttempt> {
  const { config, rateLimits } = context;
  const { loginFailuresPerAccount: failures, loginWhileSlowed: slowed } = rateLimits;
  const fromNetwork = network === null ? null : await countNetwork(context, key, network);
  const excess = (await failures.count(key)) - config.rateLimits.loginFailuresPerAccount.points;
  const waits = excess > 0 && !fromNetwork?.isFirst;
  if (waits) {
    const delaySeconds = FIRST_DELAY_SECONDS * 2 ** Math.min(excess - 1, 10);
    const seconds = Math.min(delaySeconds, config.rateLimits.loginWhileSlowed.seconds);
    try {
      await slowed.consume(key, undefined, { seconds });
    } catch (error) {
      await failures.giveBack(key);
      await fromNetwork?.giveBack();
      throw fromNetwork ? offerLink(error) : error;
    }
  }
  return {
    async giveBack() {
      await failures.giveBack(key);
      await fromNetwork?.giveBack();
      if (waits) await slowed.reset(key);
    },
    async succeed() {
      await failures.reset(key);
      await fromNetwork?.giveBack();
      if (waits) await slowed.reset(key);
    },
  };
}

/** Also before guesses are slowed down, so that a network that has guessed does not count as a new one later. */
async function countNetwork(
  { config, rateLimits }: Context,
  account: string,
  network: string,
): Promise<{ isFirst: boolean; giveBack(): Promise<void> }> {
  const { loginGuessesPerNetwork: guesses, loginNetworksPerAccount: networks } = rateLimits;
  const key = `${account} ${network}`;
  const isUnseen = (await guesses.count(key)) <= 1;
  const isFirst =
    isUnseen && (await networks.count(account)) <= config.rateLimits.loginNetworksPerAccount.points;
  if (isUnseen && !isFirst) await networks.giveBack(account);
  return {
    isFirst,
    async giveBack() {
      await guesses.giveBack(key);
      if (isFirst) await networks.giveBack(account);
    },
  };
}

function offerLink(error: unknown): unknown {
  if (!(error instanceof LimitReachedError)) return error;
  const { retryAfterSeconds = 0, security } = error.details;
  const wait = formatDuration(retryAfterSeconds);
  return new TooManyRequestsError(
    `Too many people try to sign in to this account. Please try again in ${wait}, or get a link by email.`,
    retryAfterSeconds,
    String(security?.details?.['limit']),
    SIGN_IN_SLOWED,
  );
}
