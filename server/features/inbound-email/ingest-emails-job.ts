import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import type { Tx } from '../../platform/db/database.ts';
import { DECODE_RETRY_SECONDS, DecodeTimeoutError, InsufficientStorageError } from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { findUser, lockUser, type UserRow } from '../accounts/users/user-queries.ts';
import { addEmailPhotos } from './add-email-photos.ts';
import { replyToEmailJob } from './reply-to-email-job.ts';
import { isAutomaticSender } from './parse/automatic-email.ts';
import { isForwardingRequest, toForwardingText } from './forwarding/forwarding-requests.ts';
import { markMessageOfEmailDone } from './email-photo-queries.ts';
import { isDuplicateEmail, supersedeUnauthenticatedEmails } from './duplicate-email-queries.ts';
import {
  beginNextEmail,
  EMAIL_RETENTION_MS,
  emailKey,
  lockReceivedEmail,
  updateEmail,
  type InboundEmailRow,
} from './inbound-email-queries.ts';
import { identifySender, isKnownAddress } from './sender/known-sender.ts';
import { parseEmail, type ParsedEmail } from './parse/parse-email.ts';

/** Then it is held, and its owner may retry it. */
const MAX_ATTEMPTS = 10;
/** Attempts to fetch a sender's DKIM key while DNS does not answer. */
const MAX_KEY_ATTEMPTS = 4;
const MIN_RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 10 * 60_000;

class EmailBytesUnavailableError extends Error {}

export const ingestEmailsJob = defineJob({
  name: 'ingest-emails',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 30 * 60,
  runAtStart: true,
  async handle(context) {
    for (
      let email = await beginNextEmail(context.db, context.clock.now());
      email;
      email = await beginNextEmail(context.db, context.clock.now())
    ) {
      await ingest(context, email);
    }
  },
});

/** Idempotent: each photo is committed separately, so a retry after a crash continues with the next one. */
async function ingest(context: AppContext, begun: InboundEmailRow): Promise<void> {
  const { db, storage, logger } = context;
  try {
    const result = await read(context, begun);
    if (result.kind === 'busy') return;
    const isDone = await db.transaction(async (tx) => {
      const email = await lockReceivedEmail(tx, begun);
      if (!email) return false;
      return result.kind === 'dropped' ? finish(tx, email) : decide(context, tx, email, result);
    });
    if (!isDone) return;
    await storage.delete(emailKey(begun.id));
    await updateEmail(db, begun, { isStored: false });
  } catch (error) {
    logger.warn({ err: error, emailId: begun.id }, 'An email will be retried');
    // A storage outage, or a full disk, of any length must not use up the attempts of an email.
    const isOutage = error instanceof EmailBytesUnavailableError || error instanceof InsufficientStorageError;
    const attempts = isOutage ? Math.min(begun.attempts, MAX_ATTEMPTS - 1) : begun.attempts;
    const delay = Math.min(MIN_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
    const isSlow = error instanceof DecodeTimeoutError;
    await retryLater(context, begun, { attempts, delay: isSlow ? DECODE_RETRY_SECONDS * 1000 : delay });
  }
}

async function retryLater(
  { db, jobs, clock }: AppContext,
  begun: InboundEmailRow,
  { attempts, delay }: { attempts: number; delay: number },
): Promise<void> {
  // A second later, in case the database's clock is ahead of ours.
  const delaySeconds = Math.ceil(delay / 1000) + 1;
  await db.transaction(async (tx) => {
    const nextAttemptAt = new Date(clock.now().getTime() + delay);
    await updateEmail(tx, begun, { attempts, nextAttemptAt });
    await jobs.enqueue(tx, ingestEmailsJob, {}, { delaySeconds });
  });
}

/** busy: another worker has locked it; dropped: it has no effect. */
type ReadResult =
  { kind: 'busy' } | { kind: 'dropped' } | { kind: 'read'; owner: UserRow; parsed: ParsedEmail | null };

/** Stores the sender first: of two verified emails with one Message-ID the first stays first over retries. */
async function read(context: AppContext, begun: InboundEmailRow): Promise<ReadResult> {
  const { db } = context;
  // Before the row is locked, so that a storage that hangs does not hold a connection.
  const raw = await readBytes(context, begun);
  try {
    return await db.transaction(async (tx) => {
      const email = await lockReceivedEmail(tx, begun);
      if (!email) return { kind: 'busy' };
      const owner = await findUser(db, email.ownerId);
      if (!owner) return { kind: 'dropped' };
      if (!raw) {
        // Bytes are deleted only after processing, so an incomplete backup was restored. It may still be completed.
        if (context.clock.now().getTime() - email.createdAt.getTime() < EMAIL_RETENTION_MS)
          throw new EmailBytesUnavailableError('The bytes of an email are missing');
        return { kind: 'dropped' };
      }
      const parsed = parseEmail(raw);
      const found = {
        subject: parsed?.subject.slice(0, 500) ?? '',
        photoCount: parsed?.photos.length ?? 0,
        ...(!email.isAuthenticated &&
          email.attempts <= MAX_ATTEMPTS &&
          (await findSender(context, email, raw))),
      };
      await updateEmail(tx, email, found);
      if (found.isAuthenticated) await supersedeUnauthenticatedEmails(tx, { ...email, ...found });
      return { kind: 'read', owner, parsed };
    });
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'inbound_emails_authenticated_once') throw error;
    return { kind: 'dropped' };
  }
}

function readBytes({ storage }: AppContext, { id }: InboundEmailRow): Promise<Buffer | null> {
  return storage.read(emailKey(id)).catch((cause: unknown) => {
    throw new EmailBytesUnavailableError('The bytes of an email cannot be read', { cause });
  });
}

async function findSender(
  context: AppContext,
  email: InboundEmailRow,
  raw: Buffer,
): Promise<Pick<InboundEmailRow, 'sender' | 'isAuthenticated'>> {
  const { address, authentication } = await identifySender(context, email, raw);
  if (authentication === 'unsure' && email.attempts < MAX_KEY_ATTEMPTS)
    throw new Error('A DKIM key of the sender could not be fetched');
  return { sender: address, isAuthenticated: authentication === 'authenticated' };
}

/** @returns whether its bytes can be deleted. @throws when it should be retried */
async function decide(
  context: AppContext,
  tx: Tx,
  email: InboundEmailRow,
  { owner, parsed }: Extract<ReadResult, { kind: 'read' }>,
): Promise<boolean> {
  if (parsed && isForwardingRequest(email))
    return finish(tx, email, { forwardingText: toForwardingText(parsed.lines) });
  const isKnown = email.isAuthenticated && (await isKnownAddress(context, owner, email.sender));
  if (email.attempts > MAX_ATTEMPTS || (!isKnown && !email.acceptedAt)) return hold(tx, email);
  const outcome = parsed && (await addEmailPhotos(context, owner, { email, parsed }));
  if (outcome) await markMessageOfEmailDone(tx, email);
  if (isKnown && !parsed?.isAutomatic && !isAutomaticSender(email.envelopeSender)) {
    const { ownerId, id } = email;
    if (await isWithinLimit(context.rateLimits.emailReplyPerUser, ownerId))
      await context.jobs.enqueue(tx, replyToEmailJob, { ownerId, emailId: id });
  }
  return finish(tx, email, { outcome });
}

/** Holds it for its owner's approval, unless it has no photos or the owner was asked already. */
async function hold(tx: Tx, email: InboundEmailRow): Promise<boolean> {
  if (email.photoCount === 0) return finish(tx, email);
  await lockUser(tx, email.ownerId);
  if (!email.isAuthenticated && !email.acceptedAt && (await isDuplicateEmail(tx, email)))
    return finish(tx, email);
  await updateEmail(tx, email, { status: 'waiting' });
  return false;
}

async function finish(
  tx: Tx,
  email: InboundEmailRow,
  results: Partial<Pick<InboundEmailRow, 'outcome' | 'forwardingText'>> = {},
): Promise<true> {
  await updateEmail(tx, email, { status: 'done', ...results });
  return true;
}
