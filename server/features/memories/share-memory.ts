import type { AppContext } from '../../platform/context.ts';
import { claimShare, findShare, revokeShareOf } from '../shares/share-queries.ts';
import { shareUrl } from '../../platform/share-url.ts';
import { getMemory } from './memory-queries.ts';

type Context = Pick<AppContext, 'db' | 'clock' | 'baseUrl'>;

/** Null while the memory is not shared. @throws NotFoundError */
export async function findMemoryShareUrl(
  context: Context,
  ownerId: string,
  id: string,
): Promise<string | null> {
  const { id: memoryId } = await getMemory(context.db, ownerId, id);
  const share = await findShare(context.db, { ownerId, memoryId, contactId: null });
  return share && shareUrl(context, share);
}

/** Returns the share's URL. Idempotent until the share is revoked. @throws NotFoundError */
export function shareMemory(context: Context, ownerId: string, id: string): Promise<string> {
  return context.db.transaction(async (tx) => {
    const { id: memoryId } = await getMemory(tx, ownerId, id);
    const createdAt = context.clock.now();
    return shareUrl(context, await claimShare(tx, { ownerId, memoryId, contactId: null, createdAt }));
  });
}

/** Idempotent. @throws NotFoundError for an unknown memory */
export async function unshareMemory({ db, clock }: Context, ownerId: string, id: string): Promise<void> {
  const { id: memoryId } = await getMemory(db, ownerId, id);
  await revokeShareOf(db, { ownerId, memoryId, contactId: null }, clock.now());
}
