import { getCaricature, getCompletedCaricature } from '../caricatures/caricature-queries.ts';
import type { AppContext } from '../../platform/context.ts';
import { claimLink, revokeLinkOf } from './share-queries.ts';
import { publicUrl } from './share-url.ts';

type Context = Pick<AppContext, 'db' | 'clock' | 'baseUrl'>;

/**
 * The address of a caricature's public page, which is made the first time; the same each time until it is taken back.
 * @throws NotFoundError, ConflictError while there is nothing to show
 */
export function shareCaricature(context: Context, ownerId: string, id: string): Promise<string> {
  return context.db.transaction(async (tx) => {
    const { id: caricatureId } = await getCompletedCaricature(tx, ownerId, id);
    const createdAt = context.clock.now();
    return publicUrl(context, await claimLink(tx, { ownerId, caricatureId, contactId: null, createdAt }));
  });
}

/** That there is none is no error. @throws NotFoundError */
export async function unshareCaricature({ db, clock }: Context, ownerId: string, id: string): Promise<void> {
  const { id: caricatureId } = await getCaricature(db, ownerId, id);
  await revokeLinkOf(db, { ownerId, caricatureId, contactId: null }, clock.now());
}
