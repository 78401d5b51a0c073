import type { AppContext } from '../../platform/context.ts';

const FIRST_DELAY_SECONDS = 60;

type Context = Pick<AppContext, 'config' | 'rateLimits'>;

/**
 * Slows down guesses at one account from many addresses. After a number of failures one attempt is allowed per minute, then
 * per two minutes, up to LOGIN_ATTEMPTS_WINDOW_MINUTES. `key` is the account, or a known device of it, so that others
 * cannot slow down its owner. Counts before the password is checked, so that concurrent guesses count.
 * @throws TooManyRequestsError
 */
export async function beginAttempt({ config, rateLimits }: Context, key: string): Promise<SignInAttempt> {
  const { loginFailuresPerAccount: failures, loginWhileSlowed: slowed } = rateLimits;
  const excess = (await failures.count(key)) - config.rateLimits.loginFailuresPerAccount.points;
  if (excess > 0) {
    const delaySeconds = FIRST_DELAY_SECONDS * 2 ** Math.min(excess - 1, 10);
    const seconds = Math.min(delaySeconds, config.rateLimits.loginWhileSlowed.seconds);
    try {
      await slowed.consume(key, undefined, { seconds });
    } catch (error) {
      await failures.giveBack(key);
      throw error;
    }
  }
  return {
    async giveBack() {
      await failures.giveBack(key);
      if (excess > 0) await slowed.reset(key);
    },
    async succeed() {
      await failures.reset(key);
      if (excess > 0) await slowed.reset(key);
    },
  };
}

type SignInAttempt = {
  /** The password was not checked. */
  giveBack(): Promise<void>;
  succeed(): Promise<void>;
};
