import type { AppContext } from '../../platform/context.ts';
import { caricatureFileName } from '#shared/caricature';
import { NotFoundError } from '../../platform/errors.ts';
import { findImage, type ImageRow } from '../images/image-queries.ts';
import { getPet } from '../pets/pet-queries.ts';
import { getCompletedCaricature } from './caricature-queries.ts';

/** What was drawn, as a file to keep. @throws NotFoundError, ConflictError while it is not finished */
export async function findCaricatureFile(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  id: string,
): Promise<{ image: ImageRow; name: string }> {
  const { imageId, petId } = await getCompletedCaricature(db, ownerId, id);
  const image = await findImage(db, ownerId, imageId);
  if (!image) throw new NotFoundError();
  const pet = petId ? await getPet(db, ownerId, petId) : null;
  return { image, name: caricatureFileName(pet?.name) };
}
