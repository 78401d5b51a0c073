import * as z from 'zod';
import { EXPORT_DAYS } from '#shared/transfers/export';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { restartStalledItems } from '../../platform/jobs/work-item.ts';
import { listExportsFinishedBefore } from './export-queries.ts';
import { exportItems } from './make-export-job.ts';
import { deleteExport } from './start-export.ts';

const RETENTION_MS = EXPORT_DAYS * 24 * 60 * 60 * 1000;

/** Deletes old exports, and restarts those whose worker died. */
export const purgeExportsJob = defineJob({
  name: 'purge-exports',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  async handle(context) {
    const finishedBefore = new Date(context.clock.now().getTime() - RETENTION_MS);
    await context.db.transaction(async (tx) => {
      for (const { id } of await listExportsFinishedBefore(tx, finishedBefore))
        await deleteExport(context, tx, id);
      await restartStalledItems(context, tx, exportItems);
    });
  },
});
