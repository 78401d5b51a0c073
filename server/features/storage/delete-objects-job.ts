import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { chunkKey, dataKey, exportPartKey, flipbookPdfKey } from './object-keys.ts';

/** By the former names of the job, their payloads. */
const FormerPayload = z.union([
  z.object({ key: z.string() }).transform(({ key }) => [key]),
  z.object({ flipbookPdfId: z.string() }).transform(({ flipbookPdfId: id }) => [flipbookPdfKey({ id })]),
  z.object({ partIds: z.array(z.string()) }).transform(({ partIds }) => partIds.map(exportPartKey)),
  z
    .object({ importId: z.string(), chunks: z.int() })
    .transform(({ importId, chunks }) =>
      chunks === 0
        ? [dataKey(importId)]
        : Array.from({ length: chunks }, (_, number) => chunkKey(importId, number)),
    ),
]);

export const deleteObjectsJob = defineJob({
  name: 'delete-objects',
  formerNames: [
    'delete-object',
    'delete-flipbook-pdf-object',
    'delete-export-parts',
    'delete-import-objects',
  ],
  payload: z.union([z.object({ keys: z.array(z.string()) }), FormerPayload.transform((keys) => ({ keys }))]),
  retries: 14,
  expireInSeconds: 10 * 60,
  async handle({ storage }, { keys }) {
    for (const key of keys) await storage.delete(key);
  },
});

/** Call it in the transaction that deletes the rows which refer to them. */
export async function deleteObjects(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  keys: string[],
  options?: { delaySeconds: number },
): Promise<void> {
  if (keys.length > 0) await jobs.enqueue(tx, deleteObjectsJob, { keys }, options);
}
