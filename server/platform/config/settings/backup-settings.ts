import { resolve } from 'node:path';
import type * as z from 'zod';
import { count, text } from './setting-schemas.ts';

const variables = {
  BACKUP_DIR: text.optional(),
  BACKUP_AT: text.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 03:00').default('03:00'),
  BACKUP_KEEP: count.default(7),
};

/** Null: there are no nightly backups. */
function toSettings(env: z.infer<z.ZodObject<typeof variables>>) {
  if (!env.BACKUP_DIR) return null;
  const [hours = 0, minutes = 0] = env.BACKUP_AT.split(':').map(Number);
  return {
    folder: resolve(env.BACKUP_DIR),
    /** In the time zone of this process. */
    at: { hours, minutes },
    keep: env.BACKUP_KEEP,
  };
}

export const backupSettings = { variables, toSettings };
