import { IMAGE_WIDTHS, type ImageWidth } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { Rendering } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import type { RenderPriority } from '../../platform/image-decoder/image-decoder.ts';
import { findImage, type ImageRow } from './image-queries.ts';

type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder'>;

/** `full`: a JPEG of a format that browsers cannot show; `shared`: the JPEG for emails and public pages. */
export type Variant = ImageWidth | 'full' | 'shared';

export function variantKey(imageId: string, variant: Variant): string {
  return `variants/${imageId}/${variant}.${isJpeg(variant) ? 'jpg' : 'webp'}`;
}

export function variantContentType(variant: Variant): string {
  return isJpeg(variant) ? 'image/jpeg' : 'image/webp';
}

function isJpeg(variant: Variant): variant is 'full' | 'shared' {
  return variant === 'full' || variant === 'shared';
}

export const ALL_VARIANTS: readonly Variant[] = [...IMAGE_WIDTHS, 'full', 'shared'];

const SHARED_WIDTH = 1600;

/** The variants to create in advance, largest first, since smaller ones are made from it. */
function variantsOf(image: Pick<ImageRow, 'contentType'>): Variant[] {
  const widths = [...IMAGE_WIDTHS].reverse();
  return isShownByBrowsers(image) ? widths : [...widths, 'full'];
}

export function isShownByBrowsers({ contentType }: Pick<ImageRow, 'contentType'>): boolean {
  return contentType !== 'image/heic';
}

export async function createMissingVariants(context: Context, image: ImageRow): Promise<void> {
  for (const variant of variantsOf(image)) {
    const exists = (await context.storage.sizeOf(variantKey(image.id, variant))) !== null;
    if (!exists) await createVariant(context, image, variant, 'background');
  }
}

export async function readSharedVariant(context: Context, image: ImageRow): Promise<Buffer> {
  const key = variantKey(image.id, 'shared');
  const stored = await context.storage.read(key);
  if (stored) return stored;
  await createVariant(context, image, 'shared', 'background');
  const created = await context.storage.read(key);
  if (!created) throw new NotFoundError();
  return created;
}

export async function createVariant(
  { db, storage, imageDecoder }: Context,
  image: Pick<ImageRow, 'id' | 'ownerId' | 'objectKey'>,
  variant: Variant,
  priority: RenderPriority,
): Promise<void> {
  const key = variantKey(image.id, variant);
  const source = await readSource(storage, image, variant);
  if (!source) throw new NotFoundError();
  const [copy] = await imageDecoder.render(source, [toRendering(variant)], priority);
  if (!copy) return;
  await storage.write(key, copy, variantContentType(variant));
  // The image may have been deleted during the render, after its other objects.
  if (!(await findImage(db, image.ownerId, image.id))) await storage.delete(key);
}

/** The largest width is enough for small variants, and decodes many times as fast as the original. */
async function readSource(
  storage: ObjectStorage,
  image: Pick<ImageRow, 'id' | 'objectKey'>,
  variant: Variant,
): Promise<Buffer | null> {
  const largest = Math.max(...IMAGE_WIDTHS) as ImageWidth;
  const isSmaller = variant === 'shared' || (variant !== 'full' && variant < largest / 2);
  return (
    (isSmaller ? await storage.read(variantKey(image.id, largest)) : null) ?? storage.read(image.objectKey)
  );
}

function toRendering(variant: Variant): Rendering {
  if (variant === 'full') return { format: 'jpeg', width: null };
  return variant === 'shared' ? { format: 'jpeg', width: SHARED_WIDTH } : { format: 'webp', width: variant };
}
