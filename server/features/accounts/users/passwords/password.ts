import { channel } from 'node:diagnostics_channel';
import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';
import { toOpaqueString } from '#shared/accounts/password';
import type { AppContext } from '../../../../platform/context.ts';
import { InvalidError, UnavailableError } from '../../../../platform/errors.ts';
import { isEasyToGuess, type PersonalWords } from './password-strength.ts';

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The lowest that argon2 has. */
const COST_IN_TESTS = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Each hash takes 19 MB of memory, and a core for some 30 ms. */
const queue = new PQueue({ concurrency: 2 });
const MAX_WAITING = 50;

const TOO_EASY = 'This password is easy to guess. Please choose another one.';

/** @throws UnavailableError when too many wait */
export async function hashPassword(
  { config }: Pick<AppContext, 'config'>,
  password: string,
): Promise<string> {
  return queued(() => hash(toOpaqueString(password), config.hasWeakPasswordHashes ? COST_IN_TESTS : COST));
}

/** For a new password only: one that was accepted before still signs in. @throws InvalidError */
export async function rejectWeakPassword(password: string, person: PersonalWords): Promise<void> {
  if (await isEasyToGuess(toOpaqueString(password), person))
    throw new InvalidError(TOO_EASY, { password: TOO_EASY });
}

/** Hashed with `COST`, so that verifying against it takes as long as against a user's hash. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$3uJ+o2aFTsc3cmRefFb2Rw$LrJVgWf1KK+gGZIR6UXzROPcY5+Op5PqdsbwkWR3dcE';

/** One message for each hash that a password is compared with, and none of its content. */
export const passwordVerifications = channel('mems:password-verifications');

/**
 * The form of the password that was hashed. Earlier releases hashed it as it was typed, which differs between keyboards. A wrong
 * password takes as long without a hash: otherwise the response time would reveal which addresses have an account.
 * @throws UnavailableError when too many wait
 */
export async function findHashedForm(passwordHash: string | null, password: string): Promise<string | null> {
  const form = await queued(async () => {
    for (const each of formsOf(password)) {
      passwordVerifications.publish(null);
      if (await verify(passwordHash ?? DUMMY_HASH, each)) return each;
    }
    return null;
  });
  return passwordHash === null ? null : form;
}

/** Each once. Most passwords have only one form. */
export function formsOf(password: string): Set<string> {
  return new Set([toOpaqueString(password), password, password.normalize('NFC'), password.normalize('NFD')]);
}

async function queued<T>(task: () => Promise<T>): Promise<T> {
  if (queue.size >= MAX_WAITING)
    throw new UnavailableError('Too many people are signing in. Please try again in a moment.');
  return queue.add(task);
}
