import type { RecoveryCodes, SecondFactor, TotpSetup } from '#shared/accounts/second-factor';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ConflictError, InvalidError } from '../../../platform/errors.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import { lockSignedInUser, lockUser, type UserRow } from '../users/user-queries.ts';
import { decryptSecret } from './check-code.ts';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import {
  confirmKey,
  countRecoveryCodes,
  deleteKey,
  findTotpKey,
  replaceRecoveryCodes,
  storeUnconfirmedKey,
} from './second-factor-queries.ts';
import { findTimeStep, generateTotpSecret, toTotpUri } from './totp.ts';

const SETUP_LIFETIME_MS = 10 * 60 * 1000;
const ALREADY_ON = 'Your authenticator app is set up already. Turn it off first to use another one.';
const NOT_ON = 'No authenticator app is set up.';
const NOT_STARTED = 'Please start again and scan the new code.';
const TOO_LATE = 'This took more than ten minutes. Please start again and scan the new code.';
const WRONG_CODE = 'This is not the code that your app should show. Please enter the newest one.';

export async function findSecondFactor(
  { db }: Pick<AppContext, 'db'>,
  userId: string,
): Promise<SecondFactor> {
  const totpSince = (await findTotpKey(db, userId))?.confirmedAt ?? null;
  return {
    totpSince: totpSince?.toISOString() ?? null,
    recoveryCodesLeft: totpSince ? await countRecoveryCodes(db, userId) : 0,
  };
}

/** Nothing changes until a code has confirmed the key. @throws ConflictError if one is in use */
export async function startTotpSetup(
  { clock, db, encryption }: Pick<AppContext, 'clock' | 'db' | 'encryption'>,
  { id, email }: UserRow,
): Promise<TotpSetup> {
  const secret = generateTotpSecret();
  const isStored = await storeUnconfirmedKey(db, {
    ownerId: id,
    encryptedSecret: encryption.encrypt(secret, 'totp', id),
    createdAt: clock.now(),
  });
  if (!isStored) throw new ConflictError(ALREADY_ON);
  return { secret, uri: toTotpUri(secret, email) };
}

/** The code proves that the app has the key, so that no one locks themselves out. @throws ConflictError, InvalidError, TooManyRequestsError */
export async function confirmTotpSetup(
  context: AppContext,
  user: UserRow,
  code: string,
  source: RequestSource,
): Promise<RecoveryCodes> {
  const { db, rateLimits } = context;
  const key = await findTotpKey(db, user.id);
  if (!key) throw new ConflictError(NOT_STARTED);
  if (key.confirmedAt) throw new ConflictError(ALREADY_ON);
  const { now } = source;
  if (now.getTime() - key.createdAt.getTime() >= SETUP_LIFETIME_MS) throw new ConflictError(TOO_LATE);
  const attempts = `totp-setup ${user.id}`;
  await rateLimits.loginPerUser.consume(attempts);
  const step = findTimeStep(decryptSecret(context, key), code.replace(/\s/g, ''), now);
  if (step === null) throw new InvalidError(WRONG_CODE, { code: WRONG_CODE });
  await rateLimits.loginPerUser.reset(attempts);
  return db.transaction(async (tx) => {
    await lockSignedInUser(tx, user);
    if (!(await confirmKey(tx, key, { now, step }))) throw new ConflictError(NOT_STARTED);
    await notifyOwner(context, tx, user, 'totp-on', source);
    return createRecoveryCodes(context, tx, user.id, now);
  });
}

/** @throws ConflictError if no key is in use, UnauthorizedError */
export async function renewRecoveryCodes(
  context: Pick<AppContext, 'db' | 'jobs' | 'keyedHash' | 'mailer'>,
  user: UserRow,
  source: RequestSource,
): Promise<RecoveryCodes> {
  return context.db.transaction(async (tx) => {
    await lockSignedInUser(tx, user);
    if (!(await isTotpConfirmed(tx, user.id))) throw new ConflictError(NOT_ON);
    await notifyOwner(context, tx, user, 'recovery-codes-renewed', source);
    return createRecoveryCodes(context, tx, user.id, source.now);
  });
}

type NoticeContext = Pick<AppContext, 'db' | 'jobs'> & { mailer: Pick<AppContext['mailer'], 'isEmbedded'> };

/** By its owner. Idempotent. @returns whether it was on @throws UnauthorizedError */
export function turnTotpOff(context: NoticeContext, user: UserRow, source: RequestSource): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    await lockSignedInUser(tx, user);
    return removeTotp(context, tx, user, 'totp-off', source);
  });
}

/** By an administrator. Idempotent. @returns whether it was on */
export function turnTotpOffForOwner(
  context: NoticeContext & Pick<AppContext, 'clock'>,
  user: UserRow,
): Promise<boolean> {
  // An administrator's device is not the owner's to know.
  const source = { now: context.clock.now(), device: null, network: null };
  return context.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    return removeTotp(context, tx, user, 'totp-removed-by-administrator', source);
  });
}

async function removeTotp(
  context: NoticeContext,
  tx: Tx,
  user: UserRow,
  notice: 'totp-off' | 'totp-removed-by-administrator',
  source: RequestSource,
): Promise<boolean> {
  const wasOn = await isTotpConfirmed(tx, user.id);
  await deleteKey(tx, user.id);
  if (wasOn) await notifyOwner(context, tx, user, notice, source);
  return wasOn;
}

async function isTotpConfirmed(tx: Tx, userId: string): Promise<boolean> {
  return Boolean((await findTotpKey(tx, userId))?.confirmedAt);
}

/** The earlier ones no longer work. */
async function createRecoveryCodes(
  { keyedHash }: Pick<AppContext, 'keyedHash'>,
  tx: Tx,
  userId: string,
  now: Date,
): Promise<RecoveryCodes> {
  const codes = generateRecoveryCodes();
  const codeHashes = codes.map((code) => hashRecoveryCode(keyedHash, userId, code));
  await replaceRecoveryCodes(tx, userId, { codeHashes, now });
  return { codes };
}
