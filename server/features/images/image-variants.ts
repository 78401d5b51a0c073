import { COPY_VERSION, IMAGE_WIDTHS, type ImageWidth } from '#shared/photos/image-widths';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { TILE_WIDTH, type Rendering } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import type { RenderPriority } from '../../platform/image-decoder/image-decoder.ts';
import { countCopies, findImage, type CopyBytes, type ImageRow } from './image-queries.ts';

type ImageToCopy = Pick<ImageRow, 'id' | 'ownerId' | 'objectKey' | 'width' | 'height' | 'copyVersion'>;
type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'diskSpace'>;

/**
 * `full`: a JPEG of a format that browsers cannot show; `shared`: the JPEG for emails and public pages; `preview`: the one that
 * messengers show beside a link.
 */
export type Variant = ImageWidth | 'full' | 'shared' | 'preview';

export function variantKey(imageId: string, variant: Variant, copyVersion: number = COPY_VERSION): string {
  const version = copyVersion === 1 ? '' : `-v${copyVersion}`;
  return `variants/${imageId}/${variant}${version}.${isJpeg(variant) ? 'jpg' : 'webp'}`;
}

function keyOf({ id, copyVersion }: Pick<ImageRow, 'id' | 'copyVersion'>, variant: Variant): string {
  return variantKey(id, variant, copyVersion);
}

/** Of all versions, since a photo may be deleted while its copies are made again. */
export async function deleteVariants(
  storage: ObjectStorage,
  imageId: string,
  versions = Array.from({ length: COPY_VERSION }, (_, index) => index + 1),
): Promise<void> {
  for (const version of versions)
    for (const variant of ALL_VARIANTS) await storage.delete(variantKey(imageId, variant, version));
}

export function variantContentType(variant: Variant): string {
  return isJpeg(variant) ? 'image/jpeg' : 'image/webp';
}

function isJpeg(variant: Variant): variant is 'full' | 'shared' | 'preview' {
  return typeof variant === 'string';
}

export const ALL_VARIANTS: readonly Variant[] = [...IMAGE_WIDTHS, 'full', 'shared', 'preview'];

const SHARED_WIDTH = 1600;

/** WhatsApp shows no preview above it. */
const MAX_PREVIEW_BYTES = 300_000;
/** Smaller ones are shown as an icon. */
const MIN_PREVIEW_WIDTH = 600;
const MAX_PREVIEW_SIDE = 1200;

/** A tall photo is cropped. */
export function previewSize({ width, height }: Pick<ImageRow, 'width' | 'height'>): {
  width: number;
  height: number;
} {
  const ratio = Math.max(width / height, MIN_PREVIEW_WIDTH / MAX_PREVIEW_SIDE);
  const widest = MAX_PREVIEW_SIDE * Math.min(1, ratio);
  const previewWidth = Math.round(Math.min(widest, Math.max(MIN_PREVIEW_WIDTH, width)));
  return { width: previewWidth, height: Math.max(1, Math.round(previewWidth / ratio)) };
}

/** The variants to create in advance. */
function variantsOf(image: Pick<ImageRow, 'contentType' | 'isTurned'>): Variant[] {
  return isShownByBrowsers(image) ? [...IMAGE_WIDTHS] : [...IMAGE_WIDTHS, 'full'];
}

/** Stores the tile that the inspection made. Call it before the image's row is written, so that readers of the row find it. */
export async function storeTile(storage: ObjectStorage, imageId: string, tile: Buffer): Promise<CopyBytes> {
  await storage.write(variantKey(imageId, TILE_WIDTH), tile, variantContentType(TILE_WIDTH), 'accepted');
  return { [TILE_WIDTH]: tile.length };
}

/** Upright. */
export function isShownByBrowsers({
  contentType,
  isTurned,
}: Pick<ImageRow, 'contentType' | 'isTurned'>): boolean {
  return contentType !== 'image/heic' && !isTurned;
}

export async function createMissingVariants(context: Context, image: ImageRow): Promise<void> {
  const missing: Variant[] = [];
  for (const variant of variantsOf(image))
    if ((await context.storage.sizeOf(keyOf(image, variant))) === null) missing.push(variant);
  if (missing.length > 0) await createVariants(context, image, missing, 'background');
}

export async function readSharedVariant(context: Context, image: ImageRow): Promise<Buffer> {
  const key = keyOf(image, 'shared');
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
  image: ImageToCopy,
  variants: Variant[],
  priority: RenderPriority,
): Promise<void> {
  const { imageDecoder, diskSpace } = context;
  // Not only when they are written: without room, nothing needs to be decoded.
  await diskSpace.requireRoom();
  const render = () => renderVariants(context, image, variants, priority);
  return imageDecoder.renderOnce(image.id, `${variants.join()} of version ${image.copyVersion}`, () =>
    priority === 'interactive' ? imageDecoder.withRenderSlot(image.ownerId, render) : render(),
  );
}

async function renderVariants(
  { db, storage, imageDecoder }: Context,
  image: ImageToCopy,
  variants: Variant[],
  priority: RenderPriority,
): Promise<void> {
  const source = await readSource(storage, image, variants);
  if (!source) throw new NotFoundError();
  const copies = await imageDecoder.render(
    image.ownerId,
    source,
    variants.map((variant) => toRendering(variant, image)),
    priority,
  );
  const copyBytes = Object.fromEntries(
    variants.map((variant, index) => [variant, copies[index]?.length ?? 0]),
  );
  if (!(await countCopies(db, image, copyBytes))) return;
  for (const [index, variant] of variants.entries()) {
    const copy = copies[index];
    if (copy) await storage.write(keyOf(image, variant), copy, variantContentType(variant));
  }
  // The image may have been deleted during the render, after its other objects.
  if (await findImage(db, image.ownerId, image.id)) return;
  for (const variant of variants) await storage.delete(keyOf(image, variant));
}

/** The largest width is enough for small variants, and decodes many times as fast as the original. */
async function readSource(
  storage: ObjectStorage,
  image: ImageToCopy,
  variants: Variant[],
): Promise<Buffer | null> {
  const largest = Math.max(...IMAGE_WIDTHS) as ImageWidth;
  const areSmaller = variants.every(
    (variant) =>
      variant === 'shared' || variant === 'preview' || (variant !== 'full' && variant < largest / 2),
  );
  return (areSmaller ? await storage.read(keyOf(image, largest)) : null) ?? storage.read(image.objectKey);
}

function toRendering(variant: Variant, image: ImageToCopy): Rendering {
  if (variant === 'preview')
    return { format: 'jpeg', preview: previewSize(image), maxBytes: MAX_PREVIEW_BYTES };
  if (variant === 'full') return { format: 'jpeg', width: null };
  return variant === 'shared' ? { format: 'jpeg', width: SHARED_WIDTH } : { format: 'webp', width: variant };
}
