import * as z from 'zod';
import { IMPORT_CHUNK_BYTES } from '#shared/import';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';

export function chunkKey(importId: string, number: number): string {
  return `imports/${importId}/${number}`;
}

/** A copy of data.json, for parts of the export that do not have it. */
export function dataKey(importId: string): string {
  return `imports/${importId}/data.json`;
}

export const deleteImportObjectsJob = defineJob({
  name: 'delete-import-objects',
  payload: z.object({ importId: z.string(), chunks: z.int() }),
  retries: 14,
  expireInSeconds: 10 * 60,
  async handle({ storage }, { importId, chunks }) {
    if (chunks === 0) return storage.delete(dataKey(importId));
    for (let number = 0; number < chunks; number++) await storage.delete(chunkKey(importId, number));
  },
});

type StoredImport = { id: string; byteSize: number; dataId: string | null };

export async function deleteChunks(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  { id, byteSize }: Omit<StoredImport, 'dataId'>,
): Promise<void> {
  const chunks = Math.ceil(byteSize / IMPORT_CHUNK_BYTES);
  await jobs.enqueue(tx, deleteImportObjectsJob, { importId: id, chunks });
}

export async function deleteData(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  { dataId }: Pick<StoredImport, 'dataId'>,
): Promise<void> {
  if (dataId !== null) await jobs.enqueue(tx, deleteImportObjectsJob, { importId: dataId, chunks: 0 });
}
