import { existsSync } from 'node:fs';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { createLocalCaricatureGenerator } from '../platform/caricature-generator/local-caricature-generator.ts';
import { releaseDiskReserve } from '../platform/embedded-postgres/disk-reserve.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/embedded-postgres.ts';
import { upgradePostgres } from '../platform/embedded-postgres/upgrade-postgres.ts';
import { StartupError } from '../platform/startup-error.ts';
import { createDevOutboxMailer } from '../platform/mailer/dev-outbox-mailer.ts';
import { createSmtpMailer } from '../platform/mailer/smtp-mailer.ts';
import { createPgBossJobQueue, createQueues } from '../platform/job-queue/pg-boss-job-queue.ts';
import { createTwilioMedia } from '../platform/sms/twilio-media.ts';
import { createDevOutboxSms } from '../platform/sms/dev-outbox-sms.ts';
import { createTwilioSignature } from '../platform/sms/sms-signature.ts';
import { deferDeletions } from '../platform/object-storage/deferred-deletions.ts';
import { createDiskObjectStorage } from '../platform/object-storage/disk-object-storage.ts';
import type { Config } from '../platform/config/config.ts';
import { describePaidServicesOff } from '../platform/config/paid-services.ts';
import type { AppContext } from '../platform/context.ts';
import {
  openDataFolder,
  DEV_OUTBOX_FOLDER,
  readPostgresAccess,
  type DataFolder,
} from '../platform/data-folder/data-folder.ts';
import { mustDeletionWait } from '../platform/db/backup-lock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { openListener } from '../platform/db/listener.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { createActivityRecorder } from '../features/activity/activity-recorder.ts';
import { deleteObjects } from '../features/storage/delete-objects-job.ts';
import { openInstallation, type InstallationRow } from '../features/backups/installation-queries.ts';
import { openEventHub } from '../features/events/event-hub.ts';
import { createApp } from './create-app.ts';
import { listRemoteSources } from '../features/remote-sources/list-remote-sources.ts';
import { createRemoteSources, type RemoteLimits } from '../features/remote-sources/create-remote-sources.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { shareTurnOfUnverified } from '../features/images/unverified-decoder.ts';
import { createImageDecoder } from '../platform/image-decoder/image-decoder.ts';
import { findIsolation } from '../platform/image-decoder/decoder-command.ts';
import { startDecoderProcess } from '../platform/image-decoder/decoder-process-handle.ts';
import { createLocalDkimKey } from '../features/inbound-email/local-dkim-key.ts';
import { isDevOutboxShown, readDevOutboxKey } from '../features/dev-outbox/dev-outbox-access.ts';
import { currentJobNames, jobs as allJobs } from './jobs.ts';
import { createEncryption } from '../platform/encryption.ts';
import { createKeyedHash } from '../platform/keyed-hash.ts';
import { createSecurityLog } from '../platform/security-log.ts';
import { createLogger } from '../platform/logger.ts';
import { systemClock } from '../platform/clock.ts';
import { createDiskSpace, type DiskSpace, type Statfs } from '../platform/disk-space.ts';
import type { CaricatureGenerator } from '../platform/caricature-generator/caricature-generator.ts';
import { createLocalKeyDns, createSystemDns, type DnsResolver } from '../platform/dns-resolver.ts';
import type { Upgrade } from '../platform/http/listen.ts';
import type { Mailer } from '../platform/mailer/mailer.ts';
import type { ObjectStorage } from '../platform/object-storage/object-storage.ts';
import type { SmsInbox } from '../platform/sms/sms-inbox.ts';
import type { SmsSender } from '../platform/sms/sms-sender.ts';
import { createBaseUrl } from '../platform/base-url.ts';
import { projectRoot } from '../platform/project-root.ts';
import { promoteAdminEmail } from '../features/users/admin-email.ts';
import { createAuthenticator } from '../features/sessions/password-authenticator.ts';
import { loadSession } from '../features/sessions/session-middleware.ts';
import { createDisposer } from './disposer.ts';

export type Composition = {
  app: ReturnType<typeof createApp>;
  /** Opens websockets; null if nothing has any. */
  upgrade: Upgrade | null;
  context: AppContext;
  /** Sets the server's address, for links and for the message that the data folder is in use. */
  announce(address: string): void;
  /** Runs all pending jobs. Only with `overrides.hasWorkers` false. */
  drainJobs(): Promise<void>;
  /** Answers the readiness check with 503, so that a load balancer sends no more requests, and ends event streams and remote photos. */
  drain(): void;
  /** Waits for running jobs until the timeout, then closes everything. */
  close(timeoutMs: number): Promise<void>;
};

export type Overrides = Partial<
  Pick<AppContext, 'clock' | 'dns' | 'storage' | 'mailer' | 'smsSender' | 'caricatureGenerator' | 'logger'>
> & {
  /** False: only `drainJobs` runs jobs. */
  hasWorkers?: boolean;
  statfs?: Statfs;
  remoteLimits?: RemoteLimits;
  findIsolation?: typeof findIsolation;
  startDecoderProcess?: typeof startDecoderProcess;
  report?: (line: string) => void;
};

/** A deletion that a backup postpones is tried again. */
const DEFERRED_DELETION_SECONDS = 60;

const ISOLATION_WARNINGS = {
  full: [],
  'no-network': [
    'The image decoder can read and write files: this system allows it no root folder, or the data folder is in the program.',
  ],
  none: [
    'The image decoder runs without isolation: this system does not allow namespaces, or unshare or setpriv is missing.',
  ],
};

type AppParts = Pick<
  Parameters<typeof createApp>[0],
  'activity' | 'events' | 'checkDatabase' | 'isDraining' | 'startupWarnings'
> &
  Pick<Parameters<typeof loadSession>[0], 'pool'> & { folder: DataFolder | null };

/** Chooses the adapters by the configuration. The only file that imports them. */
export async function compose(config: Config, overrides: Overrides = {}): Promise<Composition> {
  const disposer = createDisposer();
  try {
    return await open();
  } catch (error) {
    await disposer.dispose();
    throw error;
  }

  async function open(): Promise<Composition> {
    const logger = overrides.logger ?? createLogger(config);
    const clock = overrides.clock ?? systemClock;
    const { folder, databaseUrl, socketFolder, database, dataFolders, diskSpace } = await openData(logger);
    const { pool, db, check } = database;
    const ownStorage = overrides.storage ?? (await openStorage(folder, clock, diskSpace));
    const mailer = overrides.mailer ?? openMailer();
    const smsSender = overrides.smsSender ?? (await openSmsSender());
    const caricatureGenerator = overrides.caricatureGenerator ?? (await openCaricatureGenerator());
    const sessionSecret = config.secrets.session ?? (await required(folder).secret('session'));
    const keyedHash = createKeyedHash(sessionSecret);
    const baseUrl = createBaseUrl(config);
    const backupFolder = config.backups
      ? await makeBackupFolder(config.backups.folder, folder, await openInstallation(db, clock.now()))
      : null;
    const hiddenFolders = [...dataFolders, backupFolder, socketFolder].filter((each) => each !== null);
    const { decoder, warnings } = await openDecoder(hiddenFolders, logger);
    const imageDecoder = shareTurnOfUnverified({ config, db }, decoder);
    const listener = disposer.add(
      await openListener({
        url: databaseUrl,
        onError: (error) => logger.warn({ err: error }, 'The connection that listens for changes broke'),
      }),
      (each) => each.close(),
    );
    const jobs = await createPgBossJobQueue({
      pool,
      listener,
      catalogue: allJobs,
      logger,
      hasWorkers: overrides.hasWorkers ?? true,
    });
    const storage = deferDeletions(ownStorage, {
      mustWait: () => mustDeletionWait(pool),
      defer: (key) =>
        db.transaction((tx) =>
          deleteObjects({ jobs }, tx, [key], { delaySeconds: DEFERRED_DELETION_SECONDS }),
        ),
    });
    let stopTimeoutMs = 0;
    disposer.add(jobs, () => jobs.stop(stopTimeoutMs));
    const events = await openEventHub({ listener, db, logger });
    disposer.add(events, () => Promise.resolve(events.endStreams()));
    const activity = disposer.add(createActivityRecorder({ db, clock, logger }), (each) => each.flush());
    const rateLimits = createRateLimits(pool, config.rateLimits);
    const context: AppContext = {
      config,
      logger,
      securityLog: createSecurityLog({
        logger,
        keyedHash,
        onRecord: (...event) => activity.record(...event),
      }),
      clock,
      db,
      jobs,
      storage,
      databaseUrl,
      sessionSecret: { value: sessionSecret, isGenerated: !config.secrets.session },
      diskSpace,
      mailer,
      smsSender,
      caricatureGenerator,
      smsInbox: await openSmsInbox(),
      ...openInboundSms(keyedHash, baseUrl),
      devOutboxKey: isDevOutboxShown(config) ? await readDevOutboxKey(config.dataDir) : null,
      keyedHash,
      encryption: createEncryption(sessionSecret),
      dns: overrides.dns ?? openDns(keyedHash),
      baseUrl,
      imageDecoder,
      rateLimits,
    };
    await promoteAdminEmail(context);
    for (const job of allJobs) jobs.work(job, (payload, stopping) => job.handle(context, payload, stopping));
    let isDraining = false;
    const { app, remoteSources } = await openApp(context, {
      pool,
      folder,
      activity,
      events,
      checkDatabase: check,
      isDraining: () => isDraining,
      startupWarnings: [...warnings, ...describePaidServicesOff(config.paidServicesOff)],
    });
    return {
      app,
      upgrade: remoteSources?.upgrade ?? null,
      context,
      announce(address) {
        baseUrl.announce(address);
        folder?.announce(address);
      },
      drainJobs: () => jobs.drain(),
      drain: () => {
        isDraining = true;
        events.endStreams();
        remoteSources?.endTransfers();
      },
      close: (timeoutMs) => {
        stopTimeoutMs = timeoutMs;
        return disposer.dispose();
      },
    };
  }

  /** The data folder, its database with all migrations, and the room on its disk. */
  async function openData(logger: AppContext['logger']) {
    const report = overrides.report ?? ((line: string) => logger.info(line));
    // Even the lock of the data folder needs room.
    if (config.database.kind === 'embedded')
      await releaseDiskReserve((await readPostgresAccess(config.dataDir)).postgresDir, report);
    const folder = isDataFolderNeeded(config)
      ? disposer.add(await openDataFolder(config.dataDir), (each) => each.close())
      : null;
    const { databaseUrl, socketFolder } = await openPostgres(folder, logger);
    const database = disposer.add(
      openDatabase({
        url: databaseUrl,
        poolSize: config.database.poolSize,
        onError: (error) => logger.warn({ err: error }, 'A database connection broke'),
      }),
      (each) => each.close(),
    );
    await migrateDatabase(databaseUrl, () => createQueues(database.pool, allJobs));
    const dataFolders = folder ? await dataFoldersOf(config, folder) : [];
    const diskSpace = createDiskSpace(
      config,
      dataFolders,
      overrides.statfs,
      folder && config.objectStorage.kind === 'disk' ? await realpath(folder.objectsDir) : null,
    );
    return { folder, databaseUrl, socketFolder, database, dataFolders, diskSpace };
  }

  async function openDecoder(hiddenFolders: string[], logger: AppContext['logger']) {
    const isolation = await (overrides.findIsolation ?? findIsolation)(hiddenFolders);
    const warnings = ISOLATION_WARNINGS[isolation];
    for (const warning of warnings) logger.warn(warning);
    const sandbox = { isolation, hiddenFolders };
    const startDecoder = overrides.startDecoderProcess ?? startDecoderProcess;
    const decoder = disposer.add(
      createImageDecoder({ startProcess: () => startDecoder(undefined, sandbox) }),
      (each) => each.close(),
    );
    return { decoder, warnings };
  }

  async function openApp(context: AppContext, { pool, folder, ...parts }: AppParts) {
    const authenticator = createAuthenticator(context);
    const sessionSecret = context.sessionSecret.value;
    const session = loadSession({ ...context, authenticator, pool, sessionSecret });
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
      ...context,
      ...parts,
      authenticator,
      session,
      remoteSources,
      clientFolder: join(projectRoot, 'dist/client'),
      uploadOrigin,
    });
    return { app, remoteSources };
  }

  function openDns(keyedHash: AppContext['keyedHash']): DnsResolver {
    return config.inboundEmail.kind === 'embedded'
      ? createLocalKeyDns(createLocalDkimKey(keyedHash))
      : createSystemDns();
  }

  function openMailer(): Mailer {
    const { transport, sender } = config.email;
    const mailer =
      transport.kind === 'smtp'
        ? createSmtpMailer(transport, sender)
        : createDevOutboxMailer(join(config.dataDir, DEV_OUTBOX_FOLDER), sender);
    return disposer.add(mailer, () => Promise.resolve(mailer.close()));
  }

  async function openSmsSender(): Promise<SmsSender> {
    const { transport, phoneNumber } = config.sms;
    if (transport.kind === 'dev-outbox')
      return createDevOutboxSms(join(config.dataDir, DEV_OUTBOX_FOLDER), phoneNumber ?? '');
    // Large, and needed only with Twilio.
    const { createTwilioSms } = await import('../platform/sms/twilio-sms.ts');
    return createTwilioSms(transport, phoneNumber);
  }

  async function openSmsInbox(): Promise<SmsInbox | null> {
    const { transport, phoneNumber } = config.sms;
    if (transport.kind === 'dev-outbox') return null;
    const { createTwilioInbox } = await import('../platform/sms/twilio-inbox.ts');
    return createTwilioInbox(transport, phoneNumber);
  }

  function openInboundSms(
    keyedHash: AppContext['keyedHash'],
    baseUrl: AppContext['baseUrl'],
  ): Pick<AppContext, 'smsSignature' | 'mediaSource' | 'devSmsAccount'> {
    const { transport } = config.sms;
    const isDevOutbox = transport.kind === 'dev-outbox';
    const account = isDevOutbox
      ? { accountSid: DEV_ACCOUNT_SID, authToken: keyedHash('own-sms-account'), mediaUrls: [] }
      : transport;
    return {
      smsSignature: createTwilioSignature(account.authToken),
      mediaSource: createTwilioMedia({
        ...account,
        apiOrigin: () => (isDevOutbox ? baseUrl.origin() : transport.apiUrl),
      }),
      devSmsAccount: isDevOutbox ? account : null,
    };
  }

  async function openCaricatureGenerator(): Promise<CaricatureGenerator> {
    const generator =
      config.caricatureGenerator.kind === 'openai'
        ? // Large, and needed only with OpenAI.
          (
            await import('../platform/caricature-generator/openai-caricature-generator.ts')
          ).createOpenaiCaricatureGenerator(config.caricatureGenerator)
        : createLocalCaricatureGenerator();
    return disposer.add(generator, () => generator.close());
  }

  async function openPostgres(
    folder: DataFolder | null,
    logger: AppContext['logger'],
  ): Promise<{ databaseUrl: string; socketFolder: string | null }> {
    if (config.database.kind === 'external') return { databaseUrl: config.database.url, socketFolder: null };
    const password = await required(folder).secret('postgres');
    const onLog = overrides.report ?? ((line: string) => logger.info(line));
    await upgradePostgres({
      folder: required(folder),
      password,
      onLog,
      createQueues: createAllQueues,
      currentJobNames,
      statfs: overrides.statfs,
    });
    const postgres = await startEmbeddedPostgres({
      dataDir: required(folder).postgresDir,
      password,
      onLog,
    });
    const { connectionString, socketFolder } = disposer.add(postgres, (each) => each.stop());
    return { databaseUrl: connectionString, socketFolder };
  }

  async function openStorage(
    folder: DataFolder | null,
    clock: AppContext['clock'],
    diskSpace: DiskSpace,
  ): Promise<ObjectStorage> {
    if (config.objectStorage.kind === 's3') {
      // Large, and needed only with S3.
      const { createS3ObjectStorage } = await import('../platform/object-storage/s3-object-storage.ts');
      const storage = createS3ObjectStorage(config.objectStorage);
      return disposer.add(storage, () => Promise.resolve(storage.close()));
    }
    const secret = config.secrets.upload ?? (await required(folder).secret('upload'));
    return createDiskObjectStorage({ folder: required(folder).objectsDir, secret, clock, diskSpace });
  }
}

/** Only the database, and a queue for jobs of the server that may be running. Null if the embedded Postgres is not running. */
export async function openRunningDatabase(
  config: Config,
): Promise<(Pick<AppContext, 'db' | 'jobs'> & { close(): Promise<void> }) | null> {
  const { database, dataDir } = config;
  const url = database.kind === 'external' ? database.url : await findEmbeddedPostgres(dataDir);
  if (!url) return null;
  const onError = () => undefined;
  const disposer = createDisposer();
  try {
    const { pool, db } = disposer.add(openDatabase({ url, poolSize: 2, onError }), (each) => each.close());
    const listener = disposer.add(await openListener({ url, onError }), (each) => each.close());
    const queue = { pool, listener, catalogue: allJobs, logger: createLogger(config), hasWorkers: false };
    const jobs = disposer.add(await createPgBossJobQueue(queue), (each) => each.stop(0));
    return { db, jobs, close: () => disposer.dispose() };
  } catch (error) {
    await disposer.dispose();
    throw error;
  }
}

export async function createAllQueues(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, onError: () => undefined });
  await createQueues(database.pool, allJobs).finally(() => database.close());
}

export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const { postgresDir, password } = await readPostgresAccess(dataDir);
  return password ? findRunningPostgres({ dataDir: postgresDir, password }) : null;
}

/** The account of the dev outbox, which stands in for Twilio. */
const DEV_ACCOUNT_SID = `AC${'0'.repeat(32)}`;

/** Without a data folder any number of processes may run on this machine. */
export function isDataFolderNeeded({ database, objectStorage, secrets }: Config): boolean {
  return database.kind === 'embedded' || objectStorage.kind === 'disk' || !secrets.session;
}

/** The folder, and those in it that may be on another disk, by a mount or a symbolic link. */
function dataFoldersOf({ database, objectStorage }: Config, folder: DataFolder): Promise<string[]> {
  const folders = [
    folder.path,
    ...(database.kind === 'embedded' ? [folder.postgresDir] : []),
    ...(objectStorage.kind === 'disk' ? [folder.objectsDir] : []),
  ];
  return Promise.all(folders.map((each) => realpath(each)));
}

/**
 * Null if it cannot be made, or had backups and is missing, as without its disk: then the nightly backup fails, but the app
 * starts. @throws StartupError for a data folder, in which photos are no backups
 */
async function makeBackupFolder(
  path: string,
  data: DataFolder | null,
  { hasNightlyBackup }: InstallationRow,
): Promise<string | null> {
  const resolved = await resolvePath(path).catch(() => null);
  if (resolved === null) return null;
  const objects = data && (await realpath(data.objectsDir).catch(() => null));
  const isInObjects = objects !== null && `${resolved}${sep}`.startsWith(`${objects}${sep}`);
  if (isInObjects || existsSync(join(resolved, 'VERSION')))
    throw new StartupError(
      `BACKUP_DIR is a data folder, or in one: ${path}\nPlease name a folder for backups only.`,
    );
  if (hasNightlyBackup) return (await stat(resolved).catch(() => null))?.isDirectory() ? resolved : null;
  const isMade = await mkdir(resolved, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
  return isMade ? resolved : null;
}

/** Resolves symbolic links, also in a path whose last folders do not exist yet. */
async function resolvePath(path: string): Promise<string> {
  return realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await resolvePath(dirname(path)), basename(path));
  });
}

function required(folder: DataFolder | null): DataFolder {
  if (!folder) throw new Error('The data folder is not open');
  return folder;
}
