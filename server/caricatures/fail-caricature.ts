import type { CaricatureFailureReason } from '#shared/caricature';
import type { AppContext } from '../context.ts';
import { deleteImage } from '../images/delete-image.ts';
import { markCaricatureFailed } from './caricature-queries.ts';
import { giveCaricatureBack } from './caricature-usage.ts';

/** Gives one up and says why; it counts no longer. One that is finished or gone stays so. */
export function failCaricature(
  context: Pick<AppContext, 'db' | 'jobs'>,
  { ownerId, id }: { ownerId: string; id: string },
  reason: CaricatureFailureReason,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const failed = await markCaricatureFailed(tx, ownerId, id, reason);
    if (!failed) return;
    await giveCaricatureBack(tx, failed);
    if (failed.imageId) await deleteImage(context, tx, ownerId, failed.imageId);
  });
}
