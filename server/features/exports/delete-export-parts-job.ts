import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';

export function exportPartKey(partId: string): string {
  return `exports/${partId}.zip`;
}

export const deleteExportPartsJob = defineJob({
  name: 'delete-export-parts',
  payload: z.object({ partIds: z.array(z.string()) }),
  retries: 14,
  expireInSeconds: 10 * 60,
  async handle({ storage }, { partIds }) {
    for (const id of partIds) await storage.delete(exportPartKey(id));
  },
});
