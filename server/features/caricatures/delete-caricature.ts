import type { AppContext } from '../../platform/context.ts';
import { deleteImage } from '../images/delete-image.ts';
import { deleteCaricatureRow } from './caricature-queries.ts';
import { refundNextCall } from './caricature-usage.ts';

/**
 * Its picture and its public link go along; the memory that was kept of it stays. A drawing that is on its way is
 * dropped, and stays counted: the artist is paid all the same.
 * @throws NotFoundError
 */
export function deleteCaricature(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const deleted = await deleteCaricatureRow(tx, ownerId, id);
    if (deleted.status === 'generating') await refundNextCall(tx, deleted);
    if (deleted.imageId) await deleteImage(context, tx, ownerId, deleted.imageId);
  });
}
