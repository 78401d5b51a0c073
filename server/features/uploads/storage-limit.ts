import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sumImageBytes } from '../images/image-queries.ts';
import { findUser, lockUser, type UserRow } from '../users/user-queries.ts';
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

/** Deleted photos count as long as they can be restored. */
export async function hasStorageFor(
  config: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<boolean> {
  const { limits } = await findOwnLimits(config, db, ownerId);
  return (await sumImageBytes(db, ownerId)) + bytes <= limits.storageBytesPerUser;
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
