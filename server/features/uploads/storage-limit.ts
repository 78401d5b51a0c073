import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sumImageBytes } from '../images/image-queries.ts';
import { lockUser } from '../users/user-queries.ts';
import { rejectionError } from './upload-rejection.ts';

/** Until the transaction ends, no other one adds to what this account stores. */
export function lockStorage(tx: Tx, ownerId: string): Promise<void> {
  return lockUser(tx, ownerId);
}

/** Deleted photos count as long as they can be restored. */
export async function hasStorageFor(
  { limits }: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<boolean> {
  return (await sumImageBytes(db, ownerId)) + bytes <= limits.storageBytesPerUser;
}

export async function checkStorageLimit(
  config: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (!(await hasStorageFor(config, db, ownerId, bytes))) throw rejectionError('album-full', config);
}
