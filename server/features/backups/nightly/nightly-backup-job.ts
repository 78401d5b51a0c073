import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { Config } from '../../../platform/config/config.ts';
import type { AppContext } from '../../../platform/context.ts';
import { BackupRunningError, withNightlyBackupLock } from '../../../platform/db/backup-lock.ts';
import { UnavailableError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { redactSecrets } from '../../../platform/logging/redact-secrets.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { listAdmins } from '../../accounts/users/admin-queries.ts';
import { isActive, isEmailVerified } from '../../accounts/users/user-queries.ts';
import { getInstallation, setHasNightlyBackup } from '../installation-queries.ts';
import {
  findLastAnnouncement,
  findLastBackupRuns,
  insertBackupRun,
  type BackupRunRow,
} from './backup-run-queries.ts';
import { findBackupState } from './backup-state.ts';
import { makeNightlyBackup } from './nightly-backup.ts';
import { sendBackupFailureJob } from './send-backup-failure-job.ts';

const RETRY_AFTER_MS = 60 * 60 * 1000;
const ANNOUNCEMENT_INTERVAL_MS = 24 * 60 * 60 * 1000;

const NO_FILES = { fileName: null, objects: null, bytes: null };

type Backups = NonNullable<Config['backups']>;

/** Looks often whether a backup is due: a night on which the app was off is made up for. */
export const nightlyBackupJob = defineJob({
  name: 'nightly-backup',
  cron: '*/5 * * * *',
  payload: z.object({}),
  retries: 0,
  // A killed worker's job stays active until then, but its lock ends with its connection, so the next run proceeds.
  expireInSeconds: 23 * 60 * 60,
  runAtStart: true,
  async handle(context, _payload, stopping) {
    const { backups } = context.config;
    if (!backups || !(await isDue(context, backups))) return;
    const hasLock = await withNightlyBackupLock(context.databaseUrl, async () => {
      // Another process may just have made it.
      if (await isDue(context, backups)) await backUp(context, backups, stopping);
    });
    if (!hasLock) await recordLateness(context);
  },
});

async function isDue({ db, clock }: AppContext, { at }: Backups): Promise<boolean> {
  const now = clock.now();
  const { completed, failed } = await findLastBackupRuns(db);
  if (failed && now.getTime() - failed.finishedAt.getTime() < RETRY_AFTER_MS) return false;
  return !completed || completed.startedAt < lastTime(at, now);
}

/** When this time of day was last. */
function lastTime({ hours, minutes }: Backups['at'], now: Date): Date {
  const time = new Date(now);
  time.setHours(hours, minutes, 0, 0);
  if (time > now) time.setDate(time.getDate() - 1);
  return time;
}

async function backUp(context: AppContext, { folder, keep }: Backups, signal?: AbortSignal): Promise<void> {
  const { clock, db, databaseUrl, logger, sessionSecret, storage } = context;
  const id = uuidv7();
  const startedAt = clock.now();
  const source = { databaseUrl, objects: storage, sessionSecret };
  const run = (failureReason: string | null) => ({ id, startedAt, finishedAt: clock.now(), failureReason });
  try {
    const { unreadable, cleanupError, ...made } = await makeNightlyBackup(source, {
      folder,
      installation: await getInstallation(db),
      id,
      now: startedAt,
      keep,
      signal,
      // The folder may be on the disk of the data.
      requireRoom: () => context.diskSpace.requireRoomIn(folder),
    });
    if (unreadable) logger.warn({ fileName: unreadable }, 'An earlier backup cannot be read');
    if (cleanupError) logger.warn({ err: cleanupError }, 'Old backups could not be deleted');
    await db.transaction(async (tx) => {
      await insertBackupRun(tx, { ...run(null), ...made, isAnnounced: false });
      await setHasNightlyBackup(tx);
    });
    logger.info(made, 'The nightly backup is complete');
  } catch (error) {
    // The next start, or the end of the backup by hand, makes up for it.
    if (signal?.aborted) return;
    if (error instanceof BackupRunningError) return await recordLateness(context);
    logger.error({ err: error }, 'The nightly backup failed');
    const reason = explain(error);
    await recordFailure(context, { ...run(reason), ...NO_FILES });
  }
}

function explain(error: unknown): string {
  const reason = error instanceof UnavailableError ? error.cause : error;
  const isKnown = error !== reason || error instanceof StartupError || (error as NodeJS.ErrnoException).code;
  if (isKnown && reason instanceof Error) return redactSecrets(reason.message);
  return 'an unexpected error, which the log of the app has';
}

/** Another backup is being made, perhaps on a disk that hangs, so that this one never fails. */
async function recordLateness(context: AppContext): Promise<void> {
  const lateness = (await findBackupState(context))?.lateness;
  if (!lateness) return;
  const now = context.clock.now();
  await recordFailure(context, {
    id: uuidv7(),
    startedAt: now,
    finishedAt: now,
    failureReason: `${lateness} Another backup has not finished.`,
    ...NO_FILES,
  });
}

/** Administrators are told of the first failure after a backup, and then once a day. */
async function recordFailure(context: AppContext, failed: Omit<BackupRunRow, 'isAnnounced'>): Promise<void> {
  const { db, jobs } = context;
  await db.transaction(async (tx) => {
    const announcedAt = await findLastAnnouncement(tx);
    const isAnnounced =
      !announcedAt || failed.startedAt.getTime() - announcedAt.getTime() >= ANNOUNCEMENT_INTERVAL_MS;
    await insertBackupRun(tx, { ...failed, isAnnounced });
    if (!isAnnounced) return;
    const reason = failed.failureReason ?? '';
    for (const admin of await listAdmins(tx))
      if (isActive(admin) && isEmailVerified(context, admin))
        await jobs.enqueue(tx, sendBackupFailureJob, { emailId: uuidv7(), userId: admin.id, reason });
  });
}
