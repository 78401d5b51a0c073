import type { Request } from 'express';
import { clientIp, guessingNetwork } from '../../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../../platform/context.ts';
import { toOpaqueString } from '#shared/accounts/password';
import { UnavailableError } from '../../../../platform/errors.ts';
import { findHashedForm, hashPassword } from '../../users/passwords/password.ts';
import { replaceHashForm, type UserRow } from '../../users/user-queries.ts';
import { findKnownDevice } from '../known-device.ts';
import { beginAttempt } from './sign-in-slowdown.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'rateLimits'>;

type PasswordOwner = Pick<UserRow, 'id' | 'passwordHash'>;

type Guess = {
  ip: string;
  /** For the limit of attempts. */
  account: string;
  /** For the slow-down: the account, or a known device of it. */
  slowdown: string;
  /** Of an unknown device. Its first attempt is not slowed down. */
  network?: string | null;
};

/** @param user null: the account does not exist @throws TooManyRequestsError, UnavailableError */
export async function checkPassword(
  context: Context,
  { user, password, ...guess }: Guess & { user: PasswordOwner | null; password: string },
): Promise<boolean> {
  const { isRight } = await limitGuesses(context, guess, async () => {
    // Right ones give the other uses back: a client could keep all others from signing in.
    await context.rateLimits.passwordCheckPerUser.consume(guess.account);
    return { isRight: await isPasswordRight(context, user, password) };
  });
  return isRight;
}

async function isPasswordRight(
  context: Context,
  user: PasswordOwner | null,
  password: string,
): Promise<boolean> {
  const form = await findHashedForm(user?.passwordHash ?? null, password);
  if (!user || form === null) return false;
  if (form !== toOpaqueString(password)) await improveHash(context, user, password);
  return true;
}

/** The hash of the composed form, which can be typed on all keyboards. */
async function improveHash(context: Context, user: PasswordOwner, password: string): Promise<void> {
  try {
    await replaceHashForm(context.db, user, await hashPassword(context, password));
  } catch (error) {
    // The next sign-in does it.
    if (!(error instanceof UnavailableError)) throw error;
  }
}

/** With the limits of signing in, where a known device counts for itself. @throws as `checkPassword` */
export function checkSignInPassword(
  context: Context & Pick<AppContext, 'keyedHash'>,
  request: Request,
  { email, user, password }: { email: string; user: UserRow | null; password: string },
): Promise<boolean> {
  const ip = clientIp(request);
  const account = email.toLowerCase();
  const device = user && findKnownDevice(context, request, user);
  return checkPassword(context, {
    ip,
    account: `${account} ${ip}`,
    slowdown: device ? `device ${device}` : account,
    network: device ? null : guessingNetwork(request),
    user,
    password,
  });
}

/**
 * Consumes the rate limits before it checks a password or a code, so that concurrent guesses count. Success refunds them.
 * @throws TooManyRequestsError, and what `check` throws
 */
export async function limitGuesses<Result extends { isRight: boolean }>(
  context: Pick<AppContext, 'config' | 'rateLimits'>,
  { ip, account, slowdown, network = null }: Guess,
  check: () => Promise<Result>,
): Promise<Result> {
  const { rateLimits } = context;
  await rateLimits.loginPerIp.consume(ip);
  await rateLimits.loginPerUser.consume(account);
  const attempt = await beginAttempt(context, slowdown, network);
  const result = await check().catch(async (error: unknown) => {
    // Not a guess: nothing was checked.
    await rateLimits.loginPerIp.giveBack(ip);
    await rateLimits.loginPerUser.giveBack(account);
    await attempt.giveBack();
    throw error;
  });
  if (result.isRight) {
    await rateLimits.loginPerIp.giveBack(ip);
    await rateLimits.loginPerUser.reset(account);
    await attempt.succeed();
  }
  return result;
}
