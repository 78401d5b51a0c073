import type { ImageWidth } from '#shared/upload';
import type { AppContext } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import { renderVariant } from './image-processor.ts';
import type { ImageRow } from './image-queries.ts';

export function variantKey(imageId: string, width: ImageWidth): string {
  return `variants/${imageId}/${width}.webp`;
}

/** Makes the variant and keeps it. @throws NotFoundError when the original's bytes are gone */
export async function createVariant(
  { storage }: Pick<AppContext, 'storage'>,
  image: Pick<ImageRow, 'id' | 'objectKey'>,
  width: ImageWidth,
): Promise<Buffer> {
  const original = await storage.read(image.objectKey);
  if (!original) throw new NotFoundError();
  const variant = await renderVariant(original, width);
  await storage.write(variantKey(image.id, width), variant, 'image/webp');
  return variant;
}
