import type { AppContext } from '../../platform/context.ts';
import { UnsupportedImageError } from '../../platform/errors.ts';
import type { ImageRow } from '../images/image-queries.ts';
import { isShownByBrowsers, variantKey } from '../images/image-variants.ts';

/** Finer than the eye sees in print, at two thirds of the bytes of the images' own quality. */
const QUALITY = 86;

/** A photo upright, at most so many pixels wide, as a JPEG; null when its bytes are gone or cannot be read. */
export async function printPhoto(
  { storage, imageDecoder }: Pick<AppContext, 'storage' | 'imageDecoder'>,
  image: Pick<ImageRow, 'id' | 'objectKey' | 'contentType'>,
  width: number,
): Promise<Buffer | null> {
  // A HEIC takes seconds to decode; its JPEG is the same picture.
  const readable = isShownByBrowsers(image) ? null : await storage.read(variantKey(image.id, 'full'));
  const bytes = readable ?? (await storage.read(image.objectKey));
  if (!bytes) return null;
  try {
    const [jpeg] = await imageDecoder.render(
      bytes,
      [{ format: 'jpeg', width, quality: QUALITY }],
      'ahead-of-time',
    );
    return jpeg ?? null;
  } catch (error) {
    if (error instanceof UnsupportedImageError) return null;
    throw error;
  }
}
