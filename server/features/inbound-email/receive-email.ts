import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppContext } from '../../platform/context.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import { MalformedError, TooLargeError, TooManyRequestsError } from '../../platform/errors.ts';
import { ingestEmailsJobDefinition } from '../job-catalogue.ts';
import { findUserByInboundToken } from '../users/user-queries.ts';
import { parseInboundToken } from '../users/inbound-email-address.ts';
import { mayComeIn } from './inbox-quota.ts';
import {
  abandonEmail,
  deleteEmail,
  findEmail,
  insertArrivingEmail,
  markEmailReceived,
} from './inbound-email-queries.ts';
import { parseSection } from './mime/headers.ts';
import { EMAIL_MAX_BYTES, messageIdOf } from './parse-email.ts';
import { fromAddress } from './sender/from-address.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'dns' | 'mailer'>;

/** A mail on its way in, and what the server that brings it knows about it. */
export type IncomingEmail = {
  body: Readable;
  /** Empty for what only machines send; null when nobody told us. */
  envelopeSender: string | null;
  /** Empty when SPF did not pass; null when it did not come by our own receiver. */
  spfDomain: string | null;
};

export const EMAIL_TOO_LARGE = 'This mail is larger than 40 MB.';
const HEADERS_TOO_LARGE = 'This mail has more headers than can be read.';
const NO_ROOM = 'Too many messages are waiting for this recipient. Please try again later.';
const ROOM_MAY_COME_AFTER_SECONDS = 15 * 60;

/** Where a mail lies until something has come of it. */
export function emailKey(id: string): string {
  return `inbound-mail/${id}`;
}

/** Whose mail this address receives; null when nobody's, or nobody's any more. */
export async function findRecipient(
  { config, db }: Pick<Context, 'config' | 'db'>,
  address: string,
): Promise<{ id: string } | null> {
  const token = parseInboundToken(config, address);
  return token ? findUserByInboundToken(db, token) : null;
}

/**
 * Keeps a mail for each of its recipients. Once this has returned nothing is lost: the bytes are in the object store,
 * and a job is to come. The very same bytes received again are kept once.
 * @throws TooLargeError, for its headers alone, too; MalformedError for no bytes; TooManyRequestsError when one of its
 * recipients has no room, and only the others' copies are kept: sent again, they are known
 */
export async function receiveEmail(
  context: Context,
  ownerIds: string[],
  { body, ...envelope }: IncomingEmail,
): Promise<void> {
  const { db, storage, clock } = context;
  const meter = createMeter();
  const copies: Copy[] = [];
  try {
    for (const ownerId of ownerIds) {
      const id = await insertArrivingEmail(db, ownerId, envelope, clock.now());
      const source = copies[0] ? await storage.open(emailKey(copies[0].id)) : null;
      copies.push({ ownerId, id });
      const write = (bytes: Readable) => storage.writeStream(emailKey(id), bytes, MEDIA_TYPE);
      if (source) await write(source);
      // What is refused is not cut off: whoever brings it may have to send all of it before they hear of that.
      else await Promise.all([pipeline(body.iterator({ destroyOnReturn: false }), meter), write(meter)]);
    }
    const found = meter.findings();
    if (found.byteSize === 0) throw new MalformedError('Please send a message.');
    let hadRoom = true;
    for (const copy of copies) {
      const read = () => storage.read(emailKey(copy.id));
      const mayCome = await mayComeIn(context, { ...copy, ...found, ...envelope, read });
      if (mayCome) await acknowledge(context, copy, found);
      hadRoom &&= mayCome;
    }
    if (!hadRoom) throw new TooManyRequestsError(NO_ROOM, ROOM_MAY_COME_AFTER_SECONDS);
  } catch (error) {
    // What cannot be cleared away now is found by the purge.
    await Promise.allSettled(copies.map((copy) => discard(context, copy)));
    throw error;
  }
}

const MEDIA_TYPE = 'message/rfc822';

type Copy = { ownerId: string; id: string };

/** One that was received before is not kept twice. */
async function acknowledge(
  context: Context,
  copy: Copy,
  found: { byteSize: number; sha256: string; messageId: string | null },
): Promise<void> {
  const { db, jobs } = context;
  try {
    await db.transaction(async (tx) => {
      await markEmailReceived(tx, copy.ownerId, copy.id, found);
      await jobs.enqueue(tx, ingestEmailsJobDefinition, {});
    });
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'inbound_emails_once') throw error;
    await discard(context, copy);
  }
}

/** Only one that was not acknowledged; also when the purge has taken its row. No row is locked while the storage works. */
async function discard({ db, storage }: Context, copy: Copy): Promise<void> {
  const { ownerId, id } = copy;
  const isAbandoned = await abandonEmail(db, copy);
  if (!isAbandoned && (await findEmail(db, ownerId, id))) return;
  await storage.delete(emailKey(id));
  await deleteEmail(db, ownerId, id);
}

/** Enough for all headers that `parseSection` reads. */
const HEAD_MAX_BYTES = 300 * 1024;

/** Lets a mail through, and finds out how large it is, by what it is known, and who it says sent it. Ends one that is too large. */
function createMeter() {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let byteSize = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (byteSize < HEAD_MAX_BYTES) head.push(chunk);
      byteSize += chunk.length;
      hash.update(chunk);
      if (byteSize > EMAIL_MAX_BYTES) done(new TooLargeError(EMAIL_TOO_LARGE));
      else done(null, chunk);
    },
  });
  return Object.assign(meter, {
    findings() {
      const section = parseSection(Buffer.concat(head));
      // It would come to nothing, and nobody could be told: who sent it stands there.
      if (!section) throw new TooLargeError(HEADERS_TOO_LARGE);
      const { headers } = section;
      const sha256 = hash.digest('hex');
      return { byteSize, sha256, messageId: messageIdOf(headers), from: fromAddress(headers) };
    },
  });
}
