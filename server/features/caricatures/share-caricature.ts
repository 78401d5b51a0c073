import type { AppContext } from '../../platform/context.ts';
import { shareUrl } from '../../platform/share-url.ts';
import { claimShare, revokeShareOf } from '../shares/share-queries.ts';
import { getCaricature, getCompletedCaricature } from './caricature-queries.ts';

type Context = Pick<AppContext, 'db' | 'clock' | 'baseUrl'>;

/** Returns the share's URL. Idempotent until the share is revoked. @throws NotFoundError, ConflictError while it is not completed */
export function shareCaricature(context: Context, ownerId: string, id: string): Promise<string> {
  return context.db.transaction(async (tx) => {
    const { id: caricatureId } = await getCompletedCaricature(tx, ownerId, id);
    const createdAt = context.clock.now();
    return shareUrl(context, await claimShare(tx, { ownerId, caricatureId, contactId: null, createdAt }));
  });
}

/** Idempotent. @throws NotFoundError for an unknown caricature */
export async function unshareCaricature({ db, clock }: Context, ownerId: string, id: string): Promise<void> {
  const { id: caricatureId } = await getCaricature(db, ownerId, id);
  await revokeShareOf(db, { ownerId, caricatureId, contactId: null }, clock.now());
}
