import { IMAGE_WIDTHS, type ImageWidth } from '#shared/image-widths';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { TILE_WIDTH, type Rendering } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import type { RenderPriority } from '../../platform/image-decoder/image-decoder.ts';
import { countCopies, findImage, type CopyBytes, type ImageRow } from './image-queries.ts';

type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'diskSpace'>;

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

/** The variants to create in advance. */
function variantsOf(image: Pick<ImageRow, 'contentType'>): Variant[] {
  return isShownByBrowsers(image) ? [...IMAGE_WIDTHS] : [...IMAGE_WIDTHS, 'full'];
}

/** Stores the tile that the inspection made. Call it before the image's row is written, so that readers of the row find it. */
export async function storeTile(storage: ObjectStorage, imageId: string, tile: Buffer): Promise<CopyBytes> {
  await storage.write(variantKey(imageId, TILE_WIDTH), tile, variantContentType(TILE_WIDTH), 'accepted');
  return { [TILE_WIDTH]: tile.length };
}

export function isShownByBrowsers({ contentType }: Pick<ImageRow, 'contentType'>): boolean {
  return contentType !== 'image/heic';
}

export async function createMissingVariants(context: Context, image: ImageRow): Promise<void> {
  const missing: Variant[] = [];
  for (const variant of variantsOf(image))
    if ((await context.storage.sizeOf(variantKey(image.id, variant))) === null) missing.push(variant);
  if (missing.length > 0) await createVariants(context, image, missing, 'background');
}

export async function readSharedVariant(context: Context, image: ImageRow): Promise<Buffer> {
  const key = variantKey(image.id, 'shared');
  const stored = await context.storage.read(key);
  if (stored) return stored;
  await createVariants(context, image, ['shared'], 'background');
  const created = await context.storage.read(key);
  if (!created) throw new NotFoundError();
  return created;
}

/**
 * Decodes the source once for all of them, and not again soon after a rejection.
 * @throws InsufficientStorageError, and TooManyRequestsError when 'interactive'
 */
export async function createVariants(
  context: Context,
  image: Pick<ImageRow, 'id' | 'ownerId' | 'objectKey'>,
  variants: Variant[],
  priority: RenderPriority,
): Promise<void> {
  const { imageDecoder, diskSpace } = context;
  // Not only when they are written: without room, nothing needs to be decoded.
  await diskSpace.requireRoom();
  const render = () => renderVariants(context, image, variants, priority);
  return imageDecoder.renderOnce(image.id, variants.join(), () =>
    priority === 'interactive' ? imageDecoder.withRenderSlot(image.ownerId, render) : render(),
  );
}

async function renderVariants(
  { db, storage, imageDecoder }: Context,
  image: Pick<ImageRow, 'id' | 'ownerId' | 'objectKey'>,
  variants: Variant[],
  priority: RenderPriority,
): Promise<void> {
  const source = await readSource(storage, image, variants);
  if (!source) throw new NotFoundError();
  const copies = await imageDecoder.render(image.ownerId, source, variants.map(toRendering), priority);
  const copyBytes = Object.fromEntries(
    variants.map((variant, index) => [variant, copies[index]?.length ?? 0]),
  );
  if (!(await countCopies(db, image, copyBytes))) return;
  for (const [index, variant] of variants.entries()) {
    const copy = copies[index];
    if (copy) await storage.write(variantKey(image.id, variant), copy, variantContentType(variant));
  }
  // The image may have been deleted during the render, after its other objects.
  if (await findImage(db, image.ownerId, image.id)) return;
  for (const variant of variants) await storage.delete(variantKey(image.id, variant));
}

/** The largest width is enough for small variants, and decodes many times as fast as the original. */
async function readSource(
  storage: ObjectStorage,
  image: Pick<ImageRow, 'id' | 'objectKey'>,
  variants: Variant[],
): Promise<Buffer | null> {
  const largest = Math.max(...IMAGE_WIDTHS) as ImageWidth;
  const areSmaller = variants.every(
    (variant) => variant === 'shared' || (variant !== 'full' && variant < largest / 2),
  );
  return (
    (areSmaller ? await storage.read(variantKey(image.id, largest)) : null) ?? storage.read(image.objectKey)
  );
}

function toRendering(variant: Variant): Rendering {
  if (variant === 'full') return { format: 'jpeg', width: null };
  return variant === 'shared' ? { format: 'jpeg', width: SHARED_WIDTH } : { format: 'webp', width: variant };
}
