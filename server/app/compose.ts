import { join } from 'node:path';
import { createActivityRecorder } from '../features/accounts/activity/activity-recorder.ts';
import { createAuthenticator } from '../features/accounts/sessions/passwords/password-authenticator.ts';
import { loadSession } from '../features/accounts/sessions/session-middleware.ts';
import { promoteAdminEmail } from '../features/accounts/users/admin-email.ts';
import { openInstallation } from '../features/backups/installation-queries.ts';
import { makeBackupFolder } from '../features/backups/nightly/backup-folder.ts';
import { isDevOutboxShown, readDevOutboxKey } from '../features/dev-outbox/dev-outbox-access.ts';
import { openEventHub } from '../features/events/event-hub.ts';
import { shareTurnOfUnverified } from '../features/images/unverified-decoder.ts';
import { createRemoteSources, type RemoteLimits } from '../features/remote-sources/create-remote-sources.ts';
import { listRemoteSources } from '../features/remote-sources/list-remote-sources.ts';
import { deleteObjects } from '../features/storage/delete-objects-job.ts';
import { createBaseUrl } from '../platform/base-url.ts';
import type { Config } from '../platform/config/config.ts';
import { describePaidServicesOff } from '../platform/config/paid-services.ts';
import type { AppContext, SessionSecret } from '../platform/context.ts';
import type { DataFolder } from '../platform/data-folder/data-folder.ts';
import { mustDeletionWait } from '../platform/db/backup-lock.ts';
import { openListener } from '../platform/db/listener.ts';
import type { Statfs } from '../platform/files/disk-space.ts';
import type { Upgrade } from '../platform/http/listen.ts';
import type { JobQueue } from '../platform/job-queue/job-queue.ts';
import { createPgBossJobQueue } from '../platform/job-queue/pg-boss-job-queue.ts';
import { createRateLimits } from '../platform/limits/rate-limits.ts';
import { createLogger } from '../platform/logging/logger.ts';
import { createSecurityLog } from '../platform/logging/security-log.ts';
import { deferDeletions } from '../platform/object-storage/deferred-deletions.ts';
import type { ObjectStorage } from '../platform/object-storage/object-storage.ts';
import { projectRoot } from '../platform/process/project-root.ts';
import { createEncryption } from '../platform/security/encryption.ts';
import { createKeyedHash } from '../platform/security/keyed-hash.ts';
import { systemClock } from '../platform/time/clock.ts';
import {
  openCaricatureGenerator,
  openDecoder,
  openDns,
  openInboundSms,
  openMailer,
  openSmsInbox,
  openSmsSender,
  type DecoderOverrides,
} from './compose-adapters.ts';
import { openData, openStorage, required, type Data } from './compose-data.ts';
import { createApp, createWorkerApp } from './create-app.ts';
import { createDisposer, type Disposer } from './disposer.ts';
import { jobs as allJobs } from './jobs.ts';

export type Composition = {
  app: ReturnType<typeof createApp>;
  /** Opens websockets; null if nothing has any. */
  upgrade: Upgrade | null;
  context: AppContext;
  /** Sets the server's address, for links and for the message that the data folder is in use. */
  announce(address: string): void;
  /** Runs all pending jobs. Only with `overrides.hasWorkers` false. */
  drainJobs(): Promise<void>;
  /** Answers the readiness check with 503, so that a load balancer sends no more requests. */
  drain(): void;
  /** Ends event streams and remote photos, which would not end by themselves, and takes no more jobs. */
  windDown(): void;
  /** Waits for running jobs until the timeout, then closes everything. */
  close(timeoutMs: number): Promise<void>;
};

export type Overrides = DecoderOverrides &
  Partial<
    Pick<AppContext, 'clock' | 'dns' | 'storage' | 'mailer' | 'smsSender' | 'caricatureGenerator' | 'logger'>
  > & {
    /** False: only `drainJobs` runs jobs. By default, `PROCESS_ROLE` decides. */
    hasWorkers?: boolean;
    statfs?: Statfs;
    remoteLimits?: RemoteLimits;
    report?: (line: string) => void;
  };

/** A deletion that a backup postpones is tried again. */
const DEFERRED_DELETION_SECONDS = 60;

type Opening = Pick<AppContext, 'config' | 'logger' | 'clock'> & { overrides: Overrides; disposer: Disposer };
type Opened = Awaited<ReturnType<typeof openContext>>;

/** Chooses the adapters by the configuration. They are imported only here and in the files beside this one. */
export async function compose(config: Config, overrides: Overrides = {}): Promise<Composition> {
  const disposer = createDisposer();
  const { logger = createLogger(config), clock = systemClock } = overrides;
  try {
    return await open({ config, overrides, disposer, logger, clock });
  } catch (error) {
    await disposer.dispose();
    throw error;
  }
}

async function open(opening: Opening): Promise<Composition> {
  const { overrides, disposer, logger } = opening;
  const report = overrides.report ?? ((line: string) => logger.info(line));
  const data = await openData({ ...opening, report, statfs: overrides.statfs });
  const opened = await openContext(opening, data);
  const { context, jobs, events } = opened;
  await promoteAdminEmail(context);
  for (const job of allJobs) jobs.work(job, (payload, stopping) => job.handle(context, payload, stopping));
  let isDraining = false;
  const { app, remoteSources } = await openApp(opening, data, { ...opened, isDraining: () => isDraining });
  return {
    app,
    upgrade: remoteSources?.upgrade ?? null,
    context,
    announce(address) {
      context.baseUrl.announce(address);
      data.folder?.announce(address);
    },
    drainJobs: () => jobs.drain(),
    drain: () => {
      isDraining = true;
    },
    windDown: () => {
      jobs.stopTaking();
      events.endStreams();
      remoteSources?.endTransfers();
    },
    close: (timeoutMs) => disposer.dispose(timeoutMs),
  };
}

async function openContext(opening: Opening, data: Data) {
  const { config, overrides, disposer, logger, clock } = opening;
  const { folder, databaseUrl, diskSpace, database } = data;
  const { pool, db } = database;
  const secret = config.secrets.upload;
  const storage =
    overrides.storage ?? (await openStorage({ config, disposer, folder, secret, clock, diskSpace }));
  const adapters = await openAdapters(opening);
  const sessionSecret = await openSessionSecret(config, folder);
  const keyedHash = createKeyedHash(sessionSecret.value);
  const baseUrl = createBaseUrl(config);
  const { decoder, warnings } = await openDecoder(await listFoldersHiddenFromDecoder(opening, data), opening);
  const { listener, jobs } = await openJobs(opening, data);
  const events = disposer.add(await openEventHub({ listener, db, logger }), (each) =>
    Promise.resolve(each.endStreams()),
  );
  const activity = disposer.add(createActivityRecorder({ db, clock, logger }), (each) => each.flush());
  const onRecord = (...event: Parameters<typeof activity.record>) => activity.record(...event);
  const context: AppContext = {
    config,
    logger,
    clock,
    db,
    jobs,
    databaseUrl,
    sessionSecret,
    diskSpace,
    keyedHash,
    baseUrl,
    ...adapters,
    ...openInboundSms(config, keyedHash, baseUrl),
    securityLog: createSecurityLog({ logger, keyedHash, onRecord }),
    storage: deferDuringBackup(storage, data, jobs),
    encryption: createEncryption(sessionSecret.value),
    dns: overrides.dns ?? openDns(config, keyedHash),
    imageDecoder: shareTurnOfUnverified({ config, db }, decoder),
    rateLimits: createRateLimits(pool, config.rateLimits),
  };
  return { context, jobs, events, activity, warnings };
}

async function openAdapters({ config, overrides, disposer }: Opening) {
  return {
    mailer: overrides.mailer ?? openMailer(config, disposer),
    smsSender: overrides.smsSender ?? (await openSmsSender(config)),
    smsInbox: await openSmsInbox(config),
    caricatureGenerator: overrides.caricatureGenerator ?? (await openCaricatureGenerator(config, disposer)),
    devOutboxKey: isDevOutboxShown(config) ? await readDevOutboxKey(config.dataDir) : null,
  };
}

async function openSessionSecret(config: Config, folder: DataFolder | null): Promise<SessionSecret> {
  const isGenerated = !config.secrets.session;
  return { value: config.secrets.session ?? (await required(folder).secret('session')), isGenerated };
}

async function listFoldersHiddenFromDecoder({ config, clock }: Opening, data: Data): Promise<string[]> {
  const { folder, dataFolders, socketFolder, database } = data;
  const backupFolder = config.backups
    ? await makeBackupFolder(config.backups.folder, folder, await openInstallation(database.db, clock.now()))
    : null;
  return [...dataFolders, backupFolder, socketFolder].filter((each) => each !== null);
}

async function openJobs(
  { config, overrides, disposer, logger }: Opening,
  { databaseUrl, database: { pool } }: Data,
) {
  const listener = disposer.add(
    await openListener({
      url: databaseUrl,
      onError: (error) => logger.warn({ err: error }, 'The connection that listens for changes broke'),
    }),
    (each) => each.close(),
  );
  const { hasWorkers = config.process.role !== 'web' } = overrides;
  const jobs = disposer.add(
    await createPgBossJobQueue({ pool, listener, catalogue: allJobs, logger, hasWorkers }),
    (each, timeoutMs) => each.stop(timeoutMs),
  );
  return { listener, jobs };
}

function deferDuringBackup(storage: ObjectStorage, { database }: Data, jobs: JobQueue): ObjectStorage {
  const { pool, db } = database;
  return deferDeletions(storage, {
    mustWait: () => mustDeletionWait(pool),
    defer: (key) =>
      db.transaction((tx) => deleteObjects({ jobs }, tx, [key], { delaySeconds: DEFERRED_DELETION_SECONDS })),
  });
}

async function openApp(
  { config, overrides, disposer }: Opening,
  { folder, database }: Data,
  { context, events, activity, warnings, isDraining }: Opened & { isDraining: () => boolean },
) {
  const health = {
    ...context,
    checkDatabase: database.check,
    isDraining,
    startupWarnings: [...warnings, ...describePaidServicesOff(config.paidServicesOff)],
  };
  if (config.process.role === 'worker') return { app: createWorkerApp(health), remoteSources: null };
  const authenticator = createAuthenticator(context);
  const sessionSecret = context.sessionSecret.value;
  const session = loadSession({ ...context, authenticator, pool: database.pool, sessionSecret });
  const uploadOrigin = await context.storage.uploadOrigin();
  const remoteSources =
    listRemoteSources(config.remoteSources).length > 0
      ? disposer.add(
          createRemoteSources(
            context,
            { session, uploadOrigin, folder: folder?.remoteDir ?? null },
            overrides.remoteLimits,
          ),
          (each) => each.close(),
        )
      : null;
  const app = createApp({
    ...health,
    events,
    activity,
    authenticator,
    session,
    remoteSources,
    clientFolder: join(projectRoot, 'dist/client'),
    uploadOrigin,
  });
  return { app, remoteSources };
}
