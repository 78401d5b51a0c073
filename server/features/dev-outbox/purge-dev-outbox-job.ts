import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { DEV_OUTBOX_FOLDER } from '../../platform/data-folder/data-folder.ts';
import { DEV_OUTBOX_KEY_FILE } from './dev-outbox-access.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';

const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** Messages contain links that sign in or unsubscribe, and photos. */
export const purgeDevOutboxJob = defineJob({
  name: 'purge-dev-outbox',
  cron: '13 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  handle: purge,
});

async function purge({ config, clock }: Pick<AppContext, 'config' | 'clock'>): Promise<void> {
  const folder = join(config.dataDir, DEV_OUTBOX_FOLDER);
  const expired = clock.now().getTime() - RETENTION_MS;
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && file.name !== DEV_OUTBOX_KEY_FILE && (await stat(path)).mtimeMs < expired)
      await rm(path, { force: true });
  }
}
