import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppContext } from '../../../platform/context.ts';
import { violatedUniqueConstraint } from '../../../platform/db/database-errors.ts';
import { MalformedError, TooLargeError, TooManyRequestsError } from '../../../platform/errors.ts';
import { findUserByInboundToken, isActive } from '../../accounts/users/user-queries.ts';
import { parseInboundToken } from '../../accounts/users/inbound-email-address.ts';
import { canAcceptEmail } from './inbox-quota.ts';
import {
  abandonEmail,
  deleteEmail,
  emailKey,
  findEmail,
  insertArrivingEmail,
  markEmailReceived,
} from '../inbound-email-queries.ts';
import { ingestEmailsJob } from '../ingest-emails-job.ts';
import { parseSection } from '../mime/headers.ts';
import { MAX_EMAIL_BYTES, messageIdOf } from '../parse/parse-email.ts';
import { parseFromAddress } from '../sender/from-address.ts';

type IncomingEmail = {
  body: Readable;
  /** Empty for bounces; null when the provider does not pass it. */
  envelopeSender: string | null;
  /** Empty when SPF did not pass; null when our own SMTP receiver did not check it. */
  spfDomain: string | null;
};

export const EMAIL_TOO_LARGE = 'This email is larger than 40 MB.';
const HEADERS_TOO_LARGE = 'This email has too many headers.';
const NO_ROOM = 'Too many messages are waiting for this recipient. Please try again later.';
const NO_ROOM_RETRY_SECONDS = 15 * 60;

/** Null for an unknown address, and unless the account is active, so that the sender gets a bounce. */
export async function findRecipient(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  address: string,
): Promise<{ id: string } | null> {
  const token = parseInboundToken(config, address);
  const user = token ? await findUserByInboundToken(db, token) : null;
  return user && isActive(user) ? user : null;
}

/** Durable once this returns; rejected with an error that senders retry when the disk is almost full. Idempotent by hash: if one recipient has no room, the others' copies stay. */
export async function receiveEmail(
  context: AppContext,
  ownerIds: string[],
  { body, ...envelope }: IncomingEmail,
): Promise<void> {
  const { db, storage, clock, diskSpace } = context;
  await diskSpace.requireRoom();
  const meter = createMeter();
  const copies: Copy[] = [];
  try {
    for (const ownerId of ownerIds) {
      const id = await insertArrivingEmail(db, ownerId, envelope, clock.now());
      const source = copies[0] ? await storage.open(emailKey(copies[0].id)) : null;
      copies.push({ ownerId, id });
      const write = (bytes: Readable) => storage.writeStream(emailKey(id), bytes, MEDIA_TYPE);
      if (source) await write(source);
      // Does not destroy the body on an error: the sender may read our response only after sending all of it.
      else await Promise.all([pipeline(body.iterator({ destroyOnReturn: false }), meter), write(meter)]);
    }
    const found = meter.findings();
    if (found.byteSize === 0) throw new MalformedError('Please send a message.');
    let hadRoom = true;
    for (const copy of copies) {
      const read = () => storage.read(emailKey(copy.id));
      const isAccepted = await canAcceptEmail(context, { ...copy, ...found, ...envelope, read });
      if (isAccepted) await acknowledge(context, copy, found);
      hadRoom &&= isAccepted;
    }
    if (!hadRoom) throw new TooManyRequestsError(NO_ROOM, NO_ROOM_RETRY_SECONDS);
  } catch (error) {
    // The purge deletes what cannot be deleted now.
    await Promise.allSettled(copies.map((copy) => discard(context, copy)));
    throw error;
  }
}

const MEDIA_TYPE = 'message/rfc822';

type Copy = { ownerId: string; id: string };

async function acknowledge(
  context: AppContext,
  copy: Copy,
  found: { byteSize: number; sha256: string; messageId: string | null },
): Promise<void> {
  const { db, jobs } = context;
  try {
    await db.transaction(async (tx) => {
      await markEmailReceived(tx, copy.ownerId, copy.id, found);
      await jobs.enqueue(tx, ingestEmailsJob, {});
    });
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'inbound_emails_once') throw error;
    await discard(context, copy);
  }
}

/** Unless it was acknowledged; also after the purge has deleted its row. No row is locked while the storage works. */
async function discard({ db, storage }: AppContext, copy: Copy): Promise<void> {
  const { ownerId, id } = copy;
  const isAbandoned = await abandonEmail(db, copy);
  if (!isAbandoned && (await findEmail(db, ownerId, id))) return;
  await storage.delete(emailKey(id));
  await deleteEmail(db, ownerId, id);
}

/** Enough for all headers that `parseSection` reads. */
const HEAD_MAX_BYTES = 300 * 1024;

function createMeter() {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let byteSize = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (byteSize < HEAD_MAX_BYTES) head.push(chunk);
      byteSize += chunk.length;
      hash.update(chunk);
      if (byteSize > MAX_EMAIL_BYTES) done(new TooLargeError(EMAIL_TOO_LARGE));
      else done(null, chunk);
    },
  });
  return Object.assign(meter, {
    findings() {
      const section = parseSection(Buffer.concat(head));
      // Reject it while its server listens: without headers we could not reply later.
      if (!section) throw new TooLargeError(HEADERS_TOO_LARGE);
      const { headers } = section;
      const sha256 = hash.digest('hex');
      return { byteSize, sha256, messageId: messageIdOf(headers), from: parseFromAddress(headers) };
    },
  });
}
