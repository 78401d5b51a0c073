import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { AccountEvents } from './events/account-events.ts';
import type { RateLimits } from './http/rate-limit.ts';
import type { ImageDecoder } from './images/image-decoder.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { CaricatureArtist } from './ports/caricature-artist.ts';
import type { Clock } from './ports/clock.ts';
import type { DnsResolver } from './ports/dns-resolver.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { Mailer } from './ports/mailer.ts';
import type { MediaSource } from './ports/media-source.ts';
import type { ObjectStorage } from './ports/object-storage.ts';
import type { SmsSender } from './ports/sms-sender.ts';
import type { SmsSignature } from './ports/sms-signature.ts';
import type { PublicAddress } from './public-address.ts';

/**
 * Everything that the server is made of, put together in `compose`. A function takes what it needs of it,
 * `Pick<AppContext, 'db' | 'jobs'>`, never the whole.
 */
export type AppContext = {
  config: Config;
  logger: Logger;
  clock: Clock;
  db: Db;
  jobs: JobQueue;
  storage: ObjectStorage;
  mailer: Mailer;
  smsSender: SmsSender;
  smsSignature: SmsSignature;
  mediaSource: MediaSource;
  /** Where texts stay on this machine we are their provider ourselves, with an account of our own; else null. */
  ownSmsAccount: { accountSid: string; authToken: string } | null;
  keyedHash: KeyedHash;
  dns: DnsResolver;
  publicAddress: PublicAddress;
  imageDecoder: ImageDecoder;
  caricatureArtist: CaricatureArtist;
  rateLimits: RateLimits;
  events: AccountEvents;
};
