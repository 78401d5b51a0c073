import * as z from 'zod';
import { forEachRow } from '../../platform/db/for-each-row.ts';
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
    const list = (afterId: string | null) => listUncountedImages(db, afterId);
    await forEachRow(list, stopping, async ({ id, ownerId, copyVersion }) => {
      const copyBytes: CopyBytes = {};
      for (const variant of ALL_VARIANTS) {
        const bytes = await storage.sizeOf(variantKey(id, variant, copyVersion));
        if (bytes !== null) copyBytes[variant] = bytes;
      }
      await countOldCopies(db, { id, ownerId }, copyBytes);
    });
  },
});
