import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { restartStalledItems } from '../../platform/jobs/work-item.ts';
import { importItems } from './add-import-job.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { importKeys } from '../storage/object-keys.ts';
import { deleteImportRow, lockOldImports } from './import-queries.ts';

/** Also the time to continue an upload, and to import the other parts. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** Deletes old imports, and restarts those whose worker died. */
export const purgeImportsJob = defineJob({
  name: 'purge-imports',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  async handle(context) {
    const before = new Date(context.clock.now().getTime() - RETENTION_MS);
    await context.db.transaction(async (tx) => {
      for (const row of await lockOldImports(tx, before)) {
        await deleteImportRow(tx, row.id);
        await deleteObjects(context, tx, importKeys(row));
      }
    });
    await context.db.transaction((tx) => restartStalledItems(context, tx, importItems));
  },
});
