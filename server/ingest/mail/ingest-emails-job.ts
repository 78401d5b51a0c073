import type { AppContext } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { answerEmailJobDefinition } from '../../jobs/job-catalogue.ts';
import type { JobHandler } from '../../ports/job-queue.ts';
import { isAllowedSender } from '../../users/allowed-sender-queries.ts';
import { isEmailVerified } from '../../users/email-verification.ts';
import { findUser, lockUser, type UserRow } from '../../users/user-queries.ts';
import { addMailedPhotos } from './add-mailed-photos.ts';
import {
  beginNextEmail,
  countWaitingEmails,
  lockReceivedEmail,
  markMessageOfEmailDone,
  updateEmail,
  type InboundEmailRow,
} from './email-queries.ts';
import { identifySender, type EmailSender } from './sender/email-sender.ts';
import { plainAddress } from './sender/from-address.ts';
import { parseEmail, type ParsedEmail } from './parse-email.ts';
import { emailKey } from './receive-email.ts';

/** Then its owner is asked, who may try again. */
const MOST_TRIES = 10;
/** How often a sender's key is asked for, when the domain name system does not answer. */
const MOST_KEY_TRIES = 4;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** What strangers may make an owner keep. */
const MOST_WAITING = { mails: 50, bytes: 256 * 1024 * 1024 };

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
  const { db, storage, clock, logger } = context;
  try {
    const isOver = await db.transaction(async (tx) => {
      const email = await lockReceivedEmail(tx, begun);
      return email !== null && (await decide(context, tx, email));
    });
    if (!isOver) return;
    await storage.delete(emailKey(begun.id));
    await updateEmail(db, begun, { isStored: false });
  } catch (error) {
    logger.warn({ err: error, emailId: begun.id }, 'A mail has to be tried again');
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (begun.tries - 1), LONGEST_PAUSE_MS);
    await updateEmail(db, begun, { tryAt: new Date(clock.now().getTime() + pause) });
  }
}

/** Whether its bytes are of no more use. @throws when it has to be tried again */
async function decide(context: Context, tx: Tx, email: InboundEmailRow): Promise<boolean> {
  const { db, storage } = context;
  const owner = await findUser(db, email.ownerId);
  const raw = owner && (await storage.read(emailKey(email.id)));
  if (!owner || !raw) return finish(tx, email);
  const parsed = await parseEmail(raw);
  if (email.tries > MOST_TRIES) return hold(tx, email, parsed, { address: email.sender, proof: 'unproven' });

  const sender = await identify(context, email, raw);
  const isKnown = await isKnownSender(context, owner, sender);
  if (!isKnown && !email.acceptedAt) return hold(tx, email, parsed, sender);
  const outcome =
    parsed && (await addMailedPhotos(context, owner, { email, parsed, sender: sender.address }));
  await updateEmail(tx, email, { sender: sender.address, subject: parsed?.subject.slice(0, 500) ?? '' });
  if (parsed) await markMessageOfEmailDone(tx, owner.id, parsed.messageId);
  if (isKnown && !parsed?.isAutomatic && email.envelopeSender !== '') await enqueueAnswer(context, tx, email);
  return finish(tx, email, outcome ?? undefined);
}

async function identify(
  { config, dns, clock }: Context,
  { spfDomain, tries }: InboundEmailRow,
  raw: Buffer,
): Promise<EmailSender> {
  // Who comes to our own receiver has had no mail server before us that could have said anything.
  const isPushed = spfDomain === null;
  const authservId = isPushed && config.inboundMail.kind === 'open' ? config.inboundMail.authservId : null;
  const sender = await identifySender({ raw, spfDomain, authservId, now: clock.now() }, dns);
  if (sender.proof === 'unsure' && tries < MOST_KEY_TRIES)
    throw new Error('A key that the sender’s proof needs could not be fetched');
  return sender;
}

async function isKnownSender(
  { db, mailer }: Context,
  owner: UserRow,
  { address, proof }: EmailSender,
): Promise<boolean> {
  if (!address || proof !== 'proven') return false;
  const isOwner = address === plainAddress(owner.email) && isEmailVerified({ mailer }, owner);
  return isOwner || isAllowedSender(db, owner.id, address);
}

/** Without a photo there is nothing to say OK to, and strangers are kept in bounds. */
async function hold(
  tx: Tx,
  email: InboundEmailRow,
  parsed: ParsedEmail | null,
  { address, proof }: EmailSender,
): Promise<boolean> {
  const photoCount = parsed?.photos.length ?? 0;
  if (!parsed || photoCount === 0) return finish(tx, email);
  await lockUser(tx, email.ownerId);
  const { mails, bytes } = await countWaitingEmails(tx, email.ownerId);
  if (mails >= MOST_WAITING.mails || bytes + email.byteSize > MOST_WAITING.bytes) return finish(tx, email);
  await updateEmail(tx, email, {
    status: 'waiting',
    sender: address,
    isProven: proof === 'proven',
    subject: parsed.subject.slice(0, 500),
    photoCount,
  });
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
  const mayAnswer = await rateLimits.mailAnswerPerUser.consume(ownerId).then(
    () => true,
    () => false,
  );
  if (mayAnswer) await jobs.enqueue(tx, answerEmailJobDefinition, { ownerId, emailId: id });
}
