import type { AppContext } from '../../platform/context.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import type { Tx } from '../../platform/db/database.ts';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { answerEmailJobDefinition, ingestEmailsJobDefinition } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { findUser, lockUser, type UserRow } from '../users/user-queries.ts';
import { addMailedPhotos } from './add-email-photos.ts';
import { isMachine } from './automatic-email.ts';
import {
  beginNextEmail,
  lockReceivedEmail,
  updateEmail,
  type InboundEmailRow,
} from './inbound-email-queries.ts';
import { isRepetition, replaceUnprovenEmails } from './held-message-queries.ts';
import { identify, isKnownAddress } from './known-sender.ts';
import { markMessageOfEmailDone } from './email-photo-queries.ts';
import { parseEmail, type ParsedEmail } from './parse-email.ts';
import { EMAIL_KEPT_FOR_MS } from './purge-inbound-emails-job.ts';
import { emailKey } from './receive-email.ts';

/** Then its owner is asked, who may try again. */
const MOST_TRIES = 10;
/** How often a sender's key is asked for, when the domain name system does not answer. */
const MOST_KEY_TRIES = 4;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

class BytesAwayError extends Error {}

type Context = Pick<
  AppContext,
  'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'dns' | 'mailer' | 'imageDecoder' | 'rateLimits' | 'logger'
>;

/**
 * Takes all mail that is due, one after the other. Its row is locked meanwhile and its photos are kept one by one, so a
 * process that ends in the middle loses nothing: the next one goes on from there.
 */
export function ingestEmailsJob(context: Context): JobHandler<object> {
  return async () => {
    for (
      let email = await beginNextEmail(context.db, context.clock.now());
      email;
      email = await beginNextEmail(context.db, context.clock.now())
    ) {
      await ingest(context, email);
    }
  };
}

async function ingest(context: Context, begun: InboundEmailRow): Promise<void> {
  const { db, storage, logger } = context;
  try {
    const reading = await read(context, begun);
    if (reading === 'busy') return;
    const isOver = await db.transaction(async (tx) => {
      const email = await lockReceivedEmail(tx, begun);
      if (!email) return false;
      return reading === 'spent' ? finish(tx, email) : decide(context, tx, email, reading);
    });
    if (!isOver) return;
    await storage.delete(emailKey(begun.id));
    await updateEmail(db, begun, { isStored: false });
  } catch (error) {
    logger.warn({ err: error, emailId: begun.id }, 'A mail has to be tried again');
    // However long the store is away, that is no fault of the mail.
    const tries = error instanceof BytesAwayError ? Math.min(begun.tries, MOST_TRIES - 1) : begun.tries;
    await tryAgain(context, { ...begun, tries });
  }
}

/** Its job comes when the pause is over, and a little later, should the database's clock be ahead of ours. */
async function tryAgain({ db, jobs, clock }: Context, begun: InboundEmailRow): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (begun.tries - 1), LONGEST_PAUSE_MS);
  await db.transaction(async (tx) => {
    await updateEmail(tx, begun, { tries: begun.tries, tryAt: new Date(clock.now().getTime() + pause) });
    await jobs.enqueue(tx, ingestEmailsJobDefinition, {}, { delaySeconds: Math.ceil(pause / 1000) + 1 });
  });
}

/** busy: somebody else works on it; spent: nothing is to come of it (any more). */
type Reading = 'busy' | 'spent' | { owner: UserRow; parsed: ParsedEmail | null };

/**
 * Finds out who sent it and what it says, and keeps that before anything comes of it: of two proven mails with one
 * Message-ID the first stays the first, also when it has to be tried again.
 * @throws when it has to be tried again
 */
async function read(context: Context, begun: InboundEmailRow): Promise<Reading> {
  const { db } = context;
  // Before the row is locked: a storage that hangs would keep the connection.
  const raw = await readBytes(context, begun);
  try {
    return await db.transaction(async (tx) => {
      const email = await lockReceivedEmail(tx, begun);
      if (!email) return 'busy';
      const owner = await findUser(db, email.ownerId);
      if (!owner) return 'spent';
      if (!raw) return spendLostEmail(context, email);
      const parsed = await parseEmail(raw);
      const found = {
        subject: parsed?.subject.slice(0, 500) ?? '',
        photoCount: parsed?.photos.length ?? 0,
        ...(!email.isProven && email.tries <= MOST_TRIES && (await senderOf(context, email, raw))),
      };
      await updateEmail(tx, email, found);
      if (found.isProven) await replaceUnprovenEmails(tx, { ...email, ...found });
      return { owner, parsed };
    });
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'inbound_emails_proven_once') throw error;
    return 'spent';
  }
}

/** @throws BytesAwayError when the storage does not answer */
function readBytes({ storage }: Context, { id }: InboundEmailRow): Promise<Buffer | null> {
  return storage.read(emailKey(id)).catch((cause: unknown) => {
    throw new BytesAwayError('The bytes of a mail cannot be read', { cause });
  });
}

/**
 * Nobody deletes a mail's bytes before something has come of it: without them the store is not what it was.
 * @throws BytesAwayError as long as it may come back
 */
function spendLostEmail({ clock }: Context, { createdAt }: InboundEmailRow): Reading {
  if (clock.now().getTime() - createdAt.getTime() < EMAIL_KEPT_FOR_MS)
    throw new BytesAwayError('The bytes of a mail are not there');
  return 'spent';
}

async function senderOf(
  context: Context,
  email: InboundEmailRow,
  raw: Buffer,
): Promise<Pick<InboundEmailRow, 'sender' | 'isProven'>> {
  const { address, proof } = await identify(context, email, raw);
  if (proof === 'unsure' && email.tries < MOST_KEY_TRIES)
    throw new Error('A key that the sender’s proof needs could not be fetched');
  return { sender: address, isProven: proof === 'proven' };
}

/** Whether its bytes are of no more use. @throws when it has to be tried again */
async function decide(
  context: Context,
  tx: Tx,
  email: InboundEmailRow,
  { owner, parsed }: Reading & object,
): Promise<boolean> {
  const isKnown = email.isProven && (await isKnownAddress(context, owner, email.sender));
  if (email.tries > MOST_TRIES || (!isKnown && !email.acceptedAt)) return hold(tx, email);
  const outcome = parsed && (await addMailedPhotos(context, owner, { email, parsed }));
  if (outcome) await markMessageOfEmailDone(tx, email);
  if (isKnown && !parsed?.isAutomatic && !isMachine(email.envelopeSender))
    await enqueueAnswer(context, tx, email);
  return finish(tx, email, outcome ?? undefined);
}

/** Without a photo there is nothing to say OK to; and what was asked once is not asked again. */
async function hold(tx: Tx, email: InboundEmailRow): Promise<boolean> {
  if (email.photoCount === 0) return finish(tx, email);
  await lockUser(tx, email.ownerId);
  if (!email.isProven && !email.acceptedAt && (await isRepetition(tx, email))) return finish(tx, email);
  await updateEmail(tx, email, { status: 'waiting' });
  return false;
}

async function finish(
  tx: Tx,
  email: InboundEmailRow,
  outcome?: InboundEmailRow['outcome'] & object,
): Promise<true> {
  await updateEmail(tx, email, { status: 'done', ...(outcome && { outcome }) });
  return true;
}

/** Not more often than the owner's senders may be answered. */
async function enqueueAnswer({ jobs, rateLimits }: Context, tx: Tx, { ownerId, id }: InboundEmailRow) {
  try {
    await rateLimits.emailAnswerPerUser.consume(ownerId);
  } catch (error) {
    if (error instanceof TooManyRequestsError) return;
    throw error;
  }
  await jobs.enqueue(tx, answerEmailJobDefinition, { ownerId, emailId: id });
}
