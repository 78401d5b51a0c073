import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { TooLargeError } from '../../platform/errors.ts';
import { sumImageBytes } from '../images/image-queries.ts';
import { lockUser } from '../users/user-queries.ts';

const GIBIBYTE = 1024 ** 3;

/** From here to the end of the transaction nobody else adds to what this account stores. */
export function lockStorage(tx: Tx, ownerId: string): Promise<void> {
  return lockUser(tx, ownerId);
}

/**
 * Deleted photos take up room as long as they can be restored.
 * @throws TooLargeError when so many more bytes would not fit into the account
 */
export async function checkStorageLimit(
  { limits }: Pick<Config, 'limits'>,
  db: Db | Tx,
  ownerId: string,
  bytes: number,
): Promise<void> {
  const { storageBytesPerUser: limit } = limits;
  if ((await sumImageBytes(db, ownerId)) + bytes <= limit) return;
  const size = Number((limit / GIBIBYTE).toPrecision(3));
  throw new TooLargeError(
    `Your album is full: it holds ${size} GB of photos. Delete some for good to make room for new ones.`,
  );
}
