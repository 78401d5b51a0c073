import { ALBUM_FULL } from '#shared/api/api-error';
import type { StorageUsage } from '#shared/transfers/upload';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { TooLargeError } from '../../platform/errors.ts';
import { findUser, isLimitedUntilVerified, lockUser, type UserRow } from '../accounts/users/user-queries.ts';
import { countStorageNow, findStoredBytes } from './storage-usage-queries.ts';
import { countOpenUploads } from './open-upload-queries.ts';

/** Until the transaction ends, no other one adds to what this account stores. */
export function lockStorage(tx: Tx, ownerId: string): Promise<void> {
  return lockUser(tx, ownerId);
}

/** Of an account whose address is not verified. */
const UNVERIFIED_STORAGE_BYTES = 100 * 1024 ** 2;

type Limits = Pick<Config, 'limits' | 'email'>;

/** `isUntilVerified`: an unverified account's, which a verified address lifts. */
export type UserLimits = Pick<Config, 'limits'> & { isUntilVerified?: boolean };

export class AlbumFullError extends TooLargeError {
  constructor(message: string) {
    super(message, undefined, ALBUM_FULL);
  }
}

const GIBIBYTE = 1024 ** 3;
const FULL_UNTIL_VERIFIED =
  'Your album is full: it holds 100 MB until you confirm your email address. Please confirm it to add more.';

export function albumFullMessage({ limits, isUntilVerified = false }: UserLimits): string {
  if (isUntilVerified) return FULL_UNTIL_VERIFIED;
  const size = Number((limits.storageBytesPerUser / GIBIBYTE).toPrecision(3));
  return `Your album is full: it holds ${size} GB of photos. Delete some for good to make room for new ones.`;
}

/** The limits with this account's own storage limit, if an administrator has set one. */
export function limitsFor(
  config: Limits,
  user: Pick<UserRow, 'storageLimitBytes' | 'emailVerifiedAt' | 'isAdmin' | 'isInvited'>,
): UserLimits {
  const { limits } = config;
  const bytes = user.storageLimitBytes ?? limits.storageBytesPerUser;
  const isUntilVerified =
    user.storageLimitBytes === null &&
    bytes > UNVERIFIED_STORAGE_BYTES &&
    isLimitedUntilVerified(config, user);
  const storageBytesPerUser = isUntilVerified ? UNVERIFIED_STORAGE_BYTES : bytes;
  return { limits: { ...limits, storageBytesPerUser }, isUntilVerified };
}

/** Open uploads count, and deleted photos as long as they can be restored. */
export async function hasStorageFor(
  config: Limits,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<boolean> {
  const { usedBytes, limitBytes } = await findStorageUsage(config, db, ownerId);
  return usedBytes + bytes <= limitBytes;
}

export async function findStorageUsage(
  config: Limits,
  db: Db | Tx,
  ownerId: string,
): Promise<Pick<StorageUsage, 'usedBytes' | 'limitBytes'>> {
  const { limits } = await findUserLimits(config, db, ownerId);
  const { bytes: stored, allowanceBytes } = await findStoredBytes(db, ownerId);
  const { byteSize: reserved } = await countOpenUploads(db, ownerId);
  return {
    usedBytes: stored + reserved,
    limitBytes: Math.floor(limits.storageBytesPerUser) + allowanceBytes,
  };
}

/** @throws AlbumFullError */
export async function checkStorageLimit(
  config: Limits,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (await hasStorageFor(config, db, ownerId, bytes)) return;
  throw new AlbumFullError(albumFullMessage(await findUserLimits(config, db, ownerId)));
}

async function findUserLimits(config: Limits, db: Db | Tx, ownerId: string): Promise<UserLimits> {
  const user = await findUser(db, ownerId);
  return user ? limitsFor(config, user) : config;
}

/** Runs `write` unless its texts take more storage and the album is full. In a full one texts may get shorter. */
export async function withTextStorage<Result>(
  { config }: { config: Limits },
  tx: Tx,
  ownerId: string,
  write: () => Promise<Result>,
): Promise<Result> {
  await lockStorage(tx, ownerId);
  const { bytes: before } = await findStoredBytes(tx, ownerId);
  const result = await write();
  await countStorageNow(tx);
  if ((await findStoredBytes(tx, ownerId)).bytes > before) await checkStorageLimit(config, tx, ownerId, 0);
  return result;
}
