import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { countOldCopies, listUncountedImages, type CopyBytes } from './image-queries.ts';
import { ALL_VARIANTS, variantKey } from './image-variants.ts';

/** Counts the copies that earlier releases stored. Their accounts' limits grow by as much (decision 31). */
export const countOldCopiesJob = defineJob({
  name: 'count-old-copies',
  payload: z.object({}),
  retries: 5,
  // It continues after the last image that it counted.
  expireInSeconds: 60 * 60,
  runAtStart: true,
  async handle({ db, storage }, _payload, stopping) {
    let lastId: string | null = null;
    for (;;) {
      const images = await listUncountedImages(db, lastId);
      for (const { id, ownerId, copyVersion } of images) {
        stopping?.throwIfAborted();
        const copyBytes: CopyBytes = {};
        for (const variant of ALL_VARIANTS) {
          const bytes = await storage.sizeOf(variantKey(id, variant, copyVersion));
          if (bytes !== null) copyBytes[variant] = bytes;
        }
        await countOldCopies(db, { id, ownerId }, copyBytes);
        lastId = id;
      }
      if (images.length === 0) return;
    }
  },
});
