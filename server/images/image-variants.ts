import { IMAGE_WIDTHS, type ImageWidth } from '#shared/upload';
import type { AppContext } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import type { Rendering } from './decoder/decode-image.ts';
import type { ImageRow } from './image-queries.ts';

/** A copy of the original that browsers can show: one of the offered widths, or all of it where they can't read it. */
export type Variant = ImageWidth | 'full';

export function variantKey(imageId: string, variant: Variant): string {
  return variant === 'full' ? `variants/${imageId}/full.jpg` : `variants/${imageId}/${variant}.webp`;
}

export function variantContentType(variant: Variant): string {
  return variant === 'full' ? 'image/jpeg' : 'image/webp';
}

/** Every variant that a picture should have ahead of the first look at it. */
export function variantsOf(image: Pick<ImageRow, 'contentType'>): Variant[] {
  return isShownByBrowsers(image) ? [...IMAGE_WIDTHS] : [...IMAGE_WIDTHS, 'full'];
}

export function isShownByBrowsers({ contentType }: Pick<ImageRow, 'contentType'>): boolean {
  return contentType !== 'image/heic';
}

/** Makes the variants by one reading of the original, and keeps them. @throws NotFoundError when its bytes are gone */
export async function createVariants(
  { storage, imageDecoder }: Pick<AppContext, 'storage' | 'imageDecoder'>,
  image: Pick<ImageRow, 'id' | 'objectKey'>,
  variants: Variant[],
): Promise<Buffer[]> {
  const original = await storage.read(image.objectKey);
  if (!original) throw new NotFoundError();
  const copies = await imageDecoder.render(original, variants.map(renderingOf));
  for (const [index, variant] of variants.entries()) {
    const copy = copies[index];
    if (copy) await storage.write(variantKey(image.id, variant), copy, variantContentType(variant));
  }
  return copies;
}

function renderingOf(variant: Variant): Rendering {
  return variant === 'full' ? { format: 'jpeg', width: null } : { format: 'webp', width: variant };
}
