import type { AppContext } from '../context.ts';
import { deleteImage } from '../images/delete-image.ts';
import { deleteCaricatureRow } from './caricature-queries.ts';

/**
 * Its picture and its public link go along; the memory that was kept of it stays. What is drawn of it in this moment is
 * dropped, and counts: the artist is paid all the same.
 * @throws NotFoundError
 */
export function deleteCaricature(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const { imageId } = await deleteCaricatureRow(tx, ownerId, id);
    if (imageId) await deleteImage(context, tx, ownerId, imageId);
  });
}
