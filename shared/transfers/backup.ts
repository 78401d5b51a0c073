import * as z from 'zod/mini';

/** Of the nightly backups. */
export const BackupState = z.object({
  /** When the last complete one was begun, whose content it has. */
  lastBackupAt: z.nullable(z.iso.datetime()),
  /** Of that one, in hours. */
  ageHours: z.nullable(z.int()),
  /** Null unless one has failed since. */
  failure: z.nullable(z.object({ at: z.iso.datetime(), reason: z.string() })),
});
export type BackupState = z.infer<typeof BackupState>;

/** GET /api/admin/backup: null if none are configured. */
export const AdminBackup = z.object({ backup: z.nullable(BackupState) });
export type AdminBackup = z.infer<typeof AdminBackup>;
