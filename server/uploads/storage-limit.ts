import type { AppContext } from '../context.ts';
import { TooLargeError } from '../errors.ts';
import { sumImageBytes } from '../images/image-queries.ts';

const GIBIBYTE = 1024 ** 3;

/** @throws TooLargeError when so many more bytes would not fit into the account */
export async function checkStorageLimit(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  ownerId: string,
  bytes: number,
): Promise<void> {
  const { storageBytesPerAccount: limit } = config.limits;
  if ((await sumImageBytes(db, ownerId)) + bytes <= limit) return;
  const size = Number((limit / GIBIBYTE).toFixed(2));
  throw new TooLargeError(
    `Your album is full: it holds ${size} GB of photos. Delete some to make room for new ones.`,
  );
}
