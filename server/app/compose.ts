import { join } from 'node:path';
import { createLocalArtist } from '../platform/caricature-generator/local-caricature-generator.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createDevOutboxMailer } from '../platform/mailer/dev-outbox-mailer.ts';
import { createSmtpMailer } from '../platform/mailer/smtp-mailer.ts';
import { createLocalKeyDns } from '../platform/dns/local-key-dns.ts';
import { createSystemDns } from '../platform/dns/system-dns.ts';
import { createPgBossJobQueue, createQueues } from '../platform/jobs/pg-boss-job-queue.ts';
import { createTwilioMedia } from '../platform/sms/twilio-media.ts';
import { createDevOutboxSms } from '../platform/sms/dev-outbox-sms.ts';
import { createTwilioSignature } from '../platform/sms/twilio-signature.ts';
import { createDiskObjectStorage } from '../platform/object-storage/disk-object-storage.ts';
import { createS3ObjectStorage } from '../platform/object-storage/s3-object-storage.ts';
import type { Config } from '../platform/config/config.ts';
import type { AppContext } from '../platform/context.ts';
import { openDataFolder, DEV_OUTBOX_FOLDER, type DataFolder } from '../platform/data-folder/data-folder.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { openAccountEvents } from '../features/events/account-events.ts';
import { createApp } from './create-app.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { createImageDecoder } from '../platform/image-decoder/image-decoder.ts';
import { createLocalMailKey } from '../features/inbound-email/local-dkim-key.ts';
import { jobs as allJobs } from './jobs.ts';
import { createKeyedHash } from '../platform/keyed-hash.ts';
import { createLogger } from '../platform/logger.ts';
import { systemClock } from '../platform/clock.ts';
import type { CaricatureArtist } from '../platform/caricature-generator/caricature-generator.ts';
import type { DnsResolver } from '../platform/dns/dns-resolver.ts';
import type { Mailer } from '../platform/mailer/mailer.ts';
import type { ObjectStorage } from '../platform/object-storage/object-storage.ts';
import type { SmsSender } from '../platform/sms/sms-sender.ts';
import { createBaseUrl } from '../platform/base-url.ts';
import { projectRoot } from '../platform/project-root.ts';
import { createAuthenticator } from '../features/sessions/authenticator.ts';
import { readSession } from '../features/sessions/session-middleware.ts';
import { createDisposer } from './disposer.ts';

export type Composition = {
  app: ReturnType<typeof createApp>;
  context: AppContext;
  /** Notes where the server is, for whoever finds its data folder in use. */
  announce(address: string): Promise<void>;
  /** Runs every waiting job now. Only with `overrides.isWorking` false: otherwise the workers take them. */
  drainJobs(): Promise<void>;
  /**
   * From now on the readiness check says 503, so that a load balancer sends nobody any more; what would not end by
   * itself is ended.
   */
  drain(): void;
  /** Waits for running jobs, at most this long, then lets go of everything, last opened first. */
  close(timeoutMs: number): Promise<void>;
};

/** What a test may put in place of the real thing. */
export type Overrides = Partial<
  Pick<AppContext, 'clock' | 'dns' | 'storage' | 'mailer' | 'smsSender' | 'caricatureArtist' | 'logger'>
> & {
  /** False: no worker takes jobs; `drainJobs` runs them. */
  isWorking?: boolean;
  /** Where a person reads what takes so long. */
  report?: (line: string) => void;
};

/** The only place that names adapters: chooses them by the configuration and puts everything together. */
export async function compose(config: Config, overrides: Overrides = {}): Promise<Composition> {
  const opened = createDisposer();
  try {
    return await open();
  } catch (error) {
    await opened.undo();
    throw error;
  }

  async function open(): Promise<Composition> {
    const logger = overrides.logger ?? createLogger(config);
    const clock = overrides.clock ?? systemClock;
    const folder = await openFolderIfNeeded();
    const databaseUrl = await openPostgres(folder, logger);
    const { pool, db, check } = opened.push(
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
    const caricatureArtist = overrides.caricatureArtist ?? (await openCaricatureArtist());
    const sessionSecret = config.secrets.session ?? (await folder.secret('session'));
    const keyedHash = createKeyedHash(sessionSecret);
    const baseUrl = createBaseUrl(config);
    const imageDecoder = opened.push(createImageDecoder(), (decoder) => decoder.close());
    const jobs = await createPgBossJobQueue({
      pool,
      catalogue: allJobs,
      logger,
      isWorking: overrides.isWorking ?? true,
    });
    let stopTimeoutMs = 0;
    opened.push(jobs, () => jobs.stop(stopTimeoutMs));

    const events = opened.push(await openAccountEvents({ databaseUrl, db, logger }), (each) => each.close());

    const rateLimits = createRateLimits(pool, config.rateLimits);
    const context: AppContext = {
      config,
      logger,
      clock,
      db,
      jobs,
      storage,
      mailer,
      smsSender,
      caricatureArtist,
      ...openIncomingSms(keyedHash, baseUrl),
      keyedHash,
      dns: overrides.dns ?? openDns(keyedHash),
      baseUrl,
      imageDecoder,
      rateLimits,
    };
    for (const job of allJobs) jobs.work(job, (payload, stopping) => job.handle(context, payload, stopping));
    const authenticator = createAuthenticator(context);
    let isDraining = false;
    const app = createApp({
      ...context,
      authenticator,
      events,
      session: readSession({ ...context, authenticator, pool, sessionSecret }),
      clientFolder: join(projectRoot, 'dist/client'),
      uploadOrigin: await storage.uploadOrigin(),
      checkDatabase: check,
      isDraining: () => isDraining,
    });
    return {
      app,
      context,
      announce: (address) => {
        baseUrl.announce(address);
        return folder.announce(address);
      },
      drainJobs: () => jobs.drain(),
      drain: () => {
        isDraining = true;
        events.endStreams();
      },
      close: (timeoutMs) => {
        stopTimeoutMs = timeoutMs;
        return opened.undo();
      },
    };
  }

  /** With database, storage and secrets all elsewhere there is no folder: any number of processes may start here. */
  async function openFolderIfNeeded(): Promise<Pick<DataFolder, Needed>> {
    const isNeeded =
      config.database.kind === 'embedded' || config.objectStorage.kind === 'disk' || !config.secrets.session;
    return isNeeded
      ? opened.push(await openDataFolder(config.dataDir), (folder) => folder.close())
      : NO_FOLDER;
  }

  function openDns(keyedHash: AppContext['keyedHash']): DnsResolver {
    return config.inboundEmail.kind === 'embedded'
      ? createLocalKeyDns(createLocalMailKey(keyedHash))
      : createSystemDns();
  }

  function openMailer(): Mailer {
    const { transport, sender } = config.email;
    const mailer =
      transport.kind === 'smtp'
        ? createSmtpMailer(transport, sender)
        : createDevOutboxMailer(join(config.dataDir, DEV_OUTBOX_FOLDER), sender);
    return opened.push(mailer, () => Promise.resolve(mailer.close()));
  }

  async function openSmsSender(): Promise<SmsSender> {
    const { transport, phoneNumber } = config.sms;
    if (transport.kind === 'dev-outbox')
      return createDevOutboxSms(join(config.dataDir, DEV_OUTBOX_FOLDER), phoneNumber ?? '');
    // Large, and most installations don't need it.
    const { createTwilioSms } = await import('../platform/sms/twilio-sms.ts');
    return createTwilioSms(transport, phoneNumber);
  }

  function openIncomingSms(
    keyedHash: AppContext['keyedHash'],
    baseUrl: AppContext['baseUrl'],
  ): Pick<AppContext, 'smsSignature' | 'mediaSource' | 'devSmsAccount'> {
    const { transport } = config.sms;
    const isOwn = transport.kind === 'dev-outbox';
    const account = isOwn
      ? { accountSid: OWN_ACCOUNT_SID, authToken: keyedHash('own-sms-account'), mediaUrls: [] }
      : transport;
    return {
      smsSignature: createTwilioSignature(account.authToken),
      mediaSource: createTwilioMedia({
        ...account,
        apiOrigin: () => (isOwn ? baseUrl.origin() : transport.apiUrl),
      }),
      devSmsAccount: isOwn ? account : null,
    };
  }

  async function openCaricatureArtist(): Promise<CaricatureArtist> {
    const artist =
      config.caricatureArtist.kind === 'openai'
        ? // Large, and most installations don't need it.
          (
            await import('../platform/caricature-generator/openai-caricature-generator.ts')
          ).createOpenaiArtist(config.caricatureArtist)
        : createLocalArtist();
    return opened.push(artist, () => artist.close());
  }

  async function openPostgres(
    folder: Pick<DataFolder, Needed>,
    logger: AppContext['logger'],
  ): Promise<string> {
    if (config.database.kind === 'external') return config.database.url;
    const postgres = await startEmbeddedPostgres({
      dataDir: folder.postgresDir,
      password: await folder.secret('postgres'),
      onLog: overrides.report ?? ((line) => logger.info(line)),
    });
    return opened.push(postgres, (each) => each.stop()).connectionString;
  }

  async function openStorage(
    folder: Pick<DataFolder, Needed>,
    clock: AppContext['clock'],
  ): Promise<ObjectStorage> {
    if (config.objectStorage.kind === 's3') {
      const storage = createS3ObjectStorage(config.objectStorage);
      return opened.push(storage, () => Promise.resolve(storage.close()));
    }
    const secret = config.secrets.upload ?? (await folder.secret('upload'));
    return createDiskObjectStorage({ folder: folder.objectsDir, secret, clock });
  }
}

/** Of the account by which an installation without Twilio is its own provider. */
const OWN_ACCOUNT_SID = `AC${'0'.repeat(32)}`;

type Needed = 'postgresDir' | 'objectsDir' | 'secret' | 'announce';

const NO_FOLDER: Pick<DataFolder, Needed> = {
  postgresDir: '',
  objectsDir: '',
  secret: () => Promise.reject(new Error('There is no data folder')),
  announce: () => Promise.resolve(),
};
