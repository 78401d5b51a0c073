import type { StorageUsage } from '#shared/upload';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findUser, lockUser, type UserRow } from '../users/user-queries.ts';
import { countStorageNow, findStoredBytes } from './storage-usage-queries.ts';
import { countOpenUploads } from './upload-queries.ts';
import { rejectionError } from './upload-rejection.ts';

/** Until the transaction ends, no other one adds to what this account stores. */
export function lockStorage(tx: Tx, ownerId: string): Promise<void> {
  return lockUser(tx, ownerId);
}

/** The limits with this account's own storage limit, if an administrator has set one. */
export function toOwnLimits(
  { limits }: Pick<Config, 'limits'>,
  { storageLimitBytes }: Pick<UserRow, 'storageLimitBytes'>,
): Pick<Config, 'limits'> {
  return { limits: { ...limits, storageBytesPerUser: storageLimitBytes ?? limits.storageBytesPerUser } };
}

/** Open uploads count, and deleted photos as long as they can be restored. */
export async function hasStorageFor(
  config: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<boolean> {
  const { usedBytes, limitBytes } = await findStorageUsage(config, db, ownerId);
  return usedBytes + bytes <= limitBytes;
}

export async function findStorageUsage(
  config: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
): Promise<Pick<StorageUsage, 'usedBytes' | 'limitBytes'>> {
  const { limits } = await findOwnLimits(config, db, ownerId);
  const { bytes: stored, allowanceBytes } = await findStoredBytes(db, ownerId);
  const { byteSize: reserved } = await countOpenUploads(db, ownerId);
  return {
    usedBytes: stored + reserved,
    limitBytes: Math.floor(limits.storageBytesPerUser) + allowanceBytes,
  };
}

export async function checkStorageLimit(
  config: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (await hasStorageFor(config, db, ownerId, bytes)) return;
  throw rejectionError('album-full', await findOwnLimits(config, db, ownerId));
}

export async function findOwnLimits(
  config: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
): Promise<Pick<Config, 'limits'>> {
  const user = await findUser(db, ownerId);
  return user ? toOwnLimits(config, user) : config;
}

/** Runs `write` unless its texts take more storage and the album is full. In a full one texts may get shorter. */
export async function withTextStorage<Result>(
  { config }: { config: Pick<Config, 'limits'> },
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
