import { IMAGE_WIDTHS, type ImageWidth } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { Rendering } from '../../platform/image-decoder/decoder-process/decode-image.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import type { Urgency } from '../../platform/image-decoder/image-decoder.ts';
import { findImage, type ImageRow } from './image-queries.ts';

type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder'>;

/**
 * A copy of the original that browsers can show: one of the offered widths, or all of it where they can't read it;
 * `shared` is what leaves the account, in emails and on public pages, and everything there can show.
 */
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

export const everyVariant: readonly Variant[] = [...IMAGE_WIDTHS, 'full', 'shared'];

const SHARED_WIDTH = 1600;

/** Every variant that a picture should have ahead of the first look at it, the one that others are made from first. */
export function variantsOf(image: Pick<ImageRow, 'contentType'>): Variant[] {
  const widths = [...IMAGE_WIDTHS].reverse();
  return isShownByBrowsers(image) ? widths : [...widths, 'full'];
}

export function isShownByBrowsers({ contentType }: Pick<ImageRow, 'contentType'>): boolean {
  return contentType !== 'image/heic';
}

/** Those of `variantsOf` that are not there yet. @throws NotFoundError when the original's bytes are gone */
export async function createMissingVariants(context: Context, image: ImageRow): Promise<void> {
  for (const variant of variantsOf(image)) {
    const isThere = (await context.storage.sizeOf(variantKey(image.id, variant))) !== null;
    if (!isThere) await createVariant(context, image, variant, 'ahead-of-time');
  }
}

/** The copy that may leave the account: without any metadata. @throws NotFoundError when the original's bytes are gone */
export async function readSharedCopy(context: Context, image: ImageRow): Promise<Buffer> {
  const key = variantKey(image.id, 'shared');
  const stored = await context.storage.read(key);
  if (stored) return stored;
  await createVariant(context, image, 'shared', 'ahead-of-time');
  const created = await context.storage.read(key);
  if (!created) throw new NotFoundError();
  return created;
}

/** Makes a variant and keeps it. @throws NotFoundError when the original's bytes are gone */
export async function createVariant(
  { db, storage, imageDecoder }: Context,
  image: Pick<ImageRow, 'id' | 'ownerId' | 'objectKey'>,
  variant: Variant,
  urgency: Urgency,
): Promise<void> {
  const key = variantKey(image.id, variant);
  const source = await readSource(storage, image, variant);
  if (!source) throw new NotFoundError();
  const [copy] = await imageDecoder.render(source, [renderingOf(variant)], urgency);
  if (!copy) return;
  await storage.write(key, copy, variantContentType(variant));
  // Deleted meanwhile: its objects may have gone before this one came.
  if (!(await findImage(db, image.ownerId, image.id))) await storage.delete(key);
}

/** The largest width, when it is there, holds all that a smaller one needs, and is read many times as fast. */
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

function renderingOf(variant: Variant): Rendering {
  if (variant === 'full') return { format: 'jpeg', width: null };
  return variant === 'shared' ? { format: 'jpeg', width: SHARED_WIDTH } : { format: 'webp', width: variant };
}
