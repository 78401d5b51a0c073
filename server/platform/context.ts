import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Db } from './db/database.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { ImageDecoder } from './image-decoder/image-decoder.ts';
import type { Encryption } from './security/encryption.ts';
import type { KeyedHash } from './security/keyed-hash.ts';
import type { CaricatureGenerator } from './caricature-generator/caricature-generator.ts';
import type { Clock } from './time/clock.ts';
import type { DiskSpace } from './files/disk-space.ts';
import type { DnsResolver } from './dns-resolver.ts';
import type { JobQueue } from './job-queue/job-queue.ts';
import type { Mailer } from './mailer/mailer.ts';
import type { MediaSource } from './sms/media-source.ts';
import type { SmsInbox } from './sms/sms-inbox.ts';
import type { ObjectStorage } from './object-storage/object-storage.ts';
import type { SecurityLog } from './logging/security-log.ts';
import type { SmsSender } from './sms/sms-sender.ts';
import type { SmsSignature } from './sms/sms-signature.ts';
import type { BaseUrl } from './base-url.ts';

export type SessionSecret = {
  value: string;
  /** By the app, so that it is in the data folder; else it is set as SESSION_SECRET. */
  isGenerated: boolean;
};

/** A function that needs up to four services takes `Pick<AppContext, 'db' | 'jobs'>`. */
export type AppContext = {
  config: Config;
  logger: Logger;
  securityLog: SecurityLog;
  clock: Clock;
  db: Db;
  jobs: JobQueue;
  storage: ObjectStorage;
  /** For the nightly backup. */
  databaseUrl: string;
  sessionSecret: SessionSecret;
  diskSpace: DiskSpace;
  mailer: Mailer;
  smsSender: SmsSender;
  smsSignature: SmsSignature;
  mediaSource: MediaSource;
  /** Null with the dev outbox, which keeps no messages. */
  smsInbox: SmsInbox | null;
  /** With the dev outbox, the account under which it sends SMS to our own webhook; else null. */
  devSmsAccount: { accountSid: string; authToken: string } | null;
  /** Opens /dev/outbox; null if nothing is shown there. */
  devOutboxKey: string | null;
  keyedHash: KeyedHash;
  encryption: Encryption;
  dns: DnsResolver;
  baseUrl: BaseUrl;
  imageDecoder: ImageDecoder;
  caricatureGenerator: CaricatureGenerator;
  rateLimits: RateLimits;
};
