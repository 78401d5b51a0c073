import { join } from 'node:path';
import { createLocalCaricatureGenerator } from '../platform/caricature-generator/local-caricature-generator.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/embedded-postgres.ts';
import { createDevOutboxMailer } from '../platform/mailer/dev-outbox-mailer.ts';
import { createSmtpMailer } from '../platform/mailer/smtp-mailer.ts';
import { createPgBossJobQueue, createQueues } from '../platform/jobs/pg-boss-job-queue.ts';
import { createTwilioMedia } from '../platform/sms/twilio-media.ts';
import { createDevOutboxSms } from '../platform/sms/dev-outbox-sms.ts';
import { createTwilioSignature } from '../platform/sms/sms-signature.ts';
import { createDiskObjectStorage } from '../platform/object-storage/disk-object-storage.ts';
import type { Config } from '../platform/config/config.ts';
import type { AppContext } from '../platform/context.ts';
import {
  openDataFolder,
  DEV_OUTBOX_FOLDER,
  readPostgresAccess,
  type DataFolder,
} from '../platform/data-folder/data-folder.ts';
import { openDatabase, type Database } from '../platform/db/database.ts';
import { openListener } from '../platform/db/listener.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { openEventHub } from '../features/events/event-hub.ts';
import { createApp } from './create-app.ts';
import { listRemoteSources } from '../features/remote-sources/list-remote-sources.ts';
import { createRemoteSources } from '../features/remote-sources/create-remote-sources.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { createImageDecoder } from '../platform/image-decoder/image-decoder.ts';
import { canIsolate } from '../platform/image-decoder/decoder-command.ts';
import { startDecoderProcess } from '../platform/image-decoder/decoder-process-handle.ts';
import { createLocalDkimKey } from '../features/inbound-email/local-dkim-key.ts';
import { isDevOutboxShown, readDevOutboxKey } from '../features/dev-outbox/dev-outbox-access.ts';
import { jobs as allJobs } from './jobs.ts';
import { createKeyedHash } from '../platform/keyed-hash.ts';
import { createSecurityLog } from '../platform/security-log.ts';
import { createLogger } from '../platform/logger.ts';
import { systemClock } from '../platform/clock.ts';
import { createDiskSpace, type Statfs } from '../platform/disk-space.ts';
import type { CaricatureGenerator } from '../platform/caricature-generator/caricature-generator.ts';
import { createLocalKeyDns, createSystemDns, type DnsResolver } from '../platform/dns-resolver.ts';
import type { Upgrade } from '../platform/http/listen.ts';
import type { Mailer } from '../platform/mailer/mailer.ts';
import type { ObjectStorage } from '../platform/object-storage/object-storage.ts';
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
  announce(address: string): Promise<void>;
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
  canIsolate?: typeof canIsolate;
  report?: (line: string) => void;
};

const NOT_ISOLATED = 'The image decoder runs without isolation: this system does not allow unshare.';

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
    const folder = isDataFolderNeeded(config)
      ? disposer.add(await openDataFolder(config.dataDir), (each) => each.close())
      : null;
    const databaseUrl = await openPostgres(folder, logger);
    const { pool, db, check } = disposer.add(
      openDatabase({
        url: databaseUrl,
        poolSize: config.database.poolSize,
        onError: (error) => logger.warn({ err: error }, 'A database connection broke'),
      }),
      (database) => database.close(),
    );
    await migrateDatabase(databaseUrl, () => createQueues(pool, allJobs));
    const storage = overrides.storage ?? (await openStorage(folder, clock));
    const mailer = overrides.mailer ?? openMailer();
    const smsSender = overrides.smsSender ?? (await openSmsSender());
    const caricatureGenerator = overrides.caricatureGenerator ?? (await openCaricatureGenerator());
    const sessionSecret = config.secrets.session ?? (await required(folder).secret('session'));
    const keyedHash = createKeyedHash(sessionSecret);
    const baseUrl = createBaseUrl(config);
    const imageDecoder = disposer.add(
      createImageDecoder({ startProcess: () => startDecoderProcess(undefined, folder?.path) }),
      (decoder) => decoder.close(),
    );
    const isIsolated = await (overrides.canIsolate ?? canIsolate)(folder?.path ?? null);
    if (!isIsolated) logger.warn(NOT_ISOLATED);
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
    let stopTimeoutMs = 0;
    disposer.add(jobs, () => jobs.stop(stopTimeoutMs));
    const events = await openEventHub({ listener, db, logger });
    disposer.add(events, () => Promise.resolve(events.endStreams()));
    const rateLimits = createRateLimits(pool, config.rateLimits);
    const context: AppContext = {
      config,
      logger,
      securityLog: createSecurityLog({ logger, keyedHash }),
      clock,
      db,
      jobs,
      storage,
      diskSpace: createDiskSpace(config, folder && config.dataDir, overrides.statfs),
      mailer,
      smsSender,
      caricatureGenerator,
      ...openInboundSms(keyedHash, baseUrl),
      devOutboxKey: isDevOutboxShown(config) ? await readDevOutboxKey(config.dataDir) : null,
      keyedHash,
      dns: overrides.dns ?? openDns(keyedHash),
      baseUrl,
      imageDecoder,
      rateLimits,
    };
    await promoteAdminEmail(context);
    for (const job of allJobs) jobs.work(job, (payload, stopping) => job.handle(context, payload, stopping));
    const authenticator = createAuthenticator(context);
    const session = loadSession({ ...context, authenticator, pool, sessionSecret });
    const uploadOrigin = await storage.uploadOrigin();
    const remoteSources =
      listRemoteSources(config.remoteSources).length > 0
        ? disposer.add(
            createRemoteSources(context, { session, uploadOrigin, folder: folder?.remoteDir ?? null }),
            (each) => each.close(),
          )
        : null;
    let isDraining = false;
    const app = createApp({
      ...context,
      authenticator,
      events,
      session,
      remoteSources,
      clientFolder: join(projectRoot, 'dist/client'),
      uploadOrigin,
      checkDatabase: check,
      isDraining: () => isDraining,
      startupWarnings: isIsolated ? [] : [NOT_ISOLATED],
    });
    return {
      app,
      upgrade: remoteSources?.upgrade ?? null,
      context,
      async announce(address) {
        baseUrl.announce(address);
        await folder?.announce(address);
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

  async function openPostgres(folder: DataFolder | null, logger: AppContext['logger']): Promise<string> {
    if (config.database.kind === 'external') return config.database.url;
    const postgres = await startEmbeddedPostgres({
      dataDir: required(folder).postgresDir,
      password: await required(folder).secret('postgres'),
      onLog: overrides.report ?? ((line) => logger.info(line)),
    });
    return disposer.add(postgres, (each) => each.stop()).connectionString;
  }

  async function openStorage(folder: DataFolder | null, clock: AppContext['clock']): Promise<ObjectStorage> {
    if (config.objectStorage.kind === 's3') {
      // Large, and needed only with S3.
      const { createS3ObjectStorage } = await import('../platform/object-storage/s3-object-storage.ts');
      const storage = createS3ObjectStorage(config.objectStorage);
      return disposer.add(storage, () => Promise.resolve(storage.close()));
    }
    const secret = config.secrets.upload ?? (await required(folder).secret('upload'));
    return createDiskObjectStorage({ folder: required(folder).objectsDir, secret, clock });
  }
}

/** Only the database, also beside a running server. Null if the embedded Postgres is not running. */
export async function openRunningDatabase({ database, dataDir }: Config): Promise<Database | null> {
  const url = database.kind === 'external' ? database.url : await findEmbeddedPostgres(dataDir);
  return url ? openDatabase({ url, poolSize: 1, onError: () => undefined }) : null;
}

async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const { postgresDir, password } = await readPostgresAccess(dataDir);
  return password ? findRunningPostgres({ dataDir: postgresDir, password }) : null;
}

/** The account of the dev outbox, which stands in for Twilio. */
const DEV_ACCOUNT_SID = `AC${'0'.repeat(32)}`;

/** Without a data folder any number of processes may run on this machine. */
function isDataFolderNeeded({ database, objectStorage, secrets }: Config): boolean {
  return database.kind === 'embedded' || objectStorage.kind === 'disk' || !secrets.session;
}

function required(folder: DataFolder | null): DataFolder {
  if (!folder) throw new Error('The data folder is not open');
  return folder;
}
