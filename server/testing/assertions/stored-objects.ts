import type { Memory } from '#shared/album/memory';
import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { findImage } from '../../features/images/image-queries.ts';
import { variantKey } from '../../features/images/image-variants.ts';
import type { TestServer } from '../test-server.ts';

/** The object keys of an image and its widths; `stored` lists those that exist. */
export type StoredObjects = { stored(): Promise<string[]> };

/** Call while the image exists. */
export async function objectsOf(
  { context: { db, storage } }: TestServer,
  ownerId: string,
  { imageUrl }: Pick<Memory, 'imageUrl'>,
): Promise<StoredObjects> {
  const id = imageUrl.replace('/objects/', '');
  const image = await findImage(db, ownerId, id);
  if (!image) throw new Error(`There is no image ${id}`);
  const keys = [image.objectKey, ...IMAGE_WIDTHS.map((width) => variantKey(id, width))];
  return {
    async stored() {
      const sizes = await Promise.all(keys.map((key) => storage.sizeOf(key)));
      return keys.filter((_, index) => sizes[index] !== null);
    },
  };
}
