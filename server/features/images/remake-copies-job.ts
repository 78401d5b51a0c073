import * as z from 'zod';
import { COPY_VERSION } from '#shared/photos/image-widths';
import type { AppContext } from '../../platform/context.ts';
import { DecodeTimeoutError, UnsupportedImageError } from '../../platform/errors.ts';
import { forEachRow } from '../../platform/db/for-each-row.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { listOutdatedImages, setCopyVersion, type ImageRow } from './image-queries.ts';
import { createMissingVariants, deleteVariants } from './image-variants.ts';

/** By version: the types that it inspects or renders differently. Copies of other photos stay. */
const OUTDATED_TYPES: Record<number, readonly string[]> = {
  // Colors of HEIC and AVIF; animations and orientations of all but JPEG.
  2: ['image/heic', 'image/avif', 'image/webp', 'image/png', 'image/gif'],
};

/** Inspects photos again, and makes copies, that a change of the decoder has made outdated. */
export const remakeCopiesJob = defineJob({
  name: 'remake-copies',
  payload: z.object({}),
  retries: 5,
  // It continues with those that it has not made yet.
  expireInSeconds: 60 * 60,
  runAtStart: true,
  handle: (context, _payload, stopping) =>
    remakeOutdatedCopies(context, { to: COPY_VERSION, types: OUTDATED_TYPES }, stopping),
});

export async function remakeOutdatedCopies(
  context: AppContext,
  { to, types }: { to: number; types: typeof OUTDATED_TYPES },
  stopping?: AbortSignal,
): Promise<void> {
  for (let version = 2; version <= to; version++) {
    const contentTypes = types[version] ?? [];
    const list = (afterId: string | null) =>
      listOutdatedImages(context.db, { version, contentTypes, afterId });
    await forEachRow(list, stopping, (image) => remakeCopies(context, image, to));
  }
}

/** A photo that cannot be decoded, or takes too long, keeps its copies: the photos after it must not wait for it. */
async function remakeCopies(context: AppContext, image: ImageRow, copyVersion: number): Promise<void> {
  const { db, storage, imageDecoder } = context;
  const original = await storage.read(image.objectKey);
  if (!original) return;
  try {
    const {
      tile: _tile,
      takenAt: _takenAt,
      ...inspected
    } = await imageDecoder.inspect(image.ownerId, original, 'background');
    const remade = { ...image, ...inspected, copyVersion };
    await createMissingVariants(context, remade);
    const outdated = [image.copyVersion];
    // Before the row changes: after a crash the job finds it again.
    await deleteVariants(storage, image.id, outdated);
    await setCopyVersion(db, image, { ...inspected, copyVersion }, ['shared', 'preview']);
    // A request may have made one in between.
    await deleteVariants(storage, image.id, outdated);
  } catch (error) {
    if (!(error instanceof UnsupportedImageError || error instanceof DecodeTimeoutError)) throw error;
  }
}
