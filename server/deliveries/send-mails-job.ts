import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { MailDelayedError, RecipientRefusedError } from '../ports/mailer.ts';
import { updateContactRow } from '../contacts/contact-queries.ts';
import { isEmailVerified } from '../users/email-verification.ts';
import { composeMail } from './compose-mail.ts';
import { releaseDeleted } from './delivery-queries.ts';
import { getAddressee, type Addressee } from './addressee-queries.ts';
import {
  deleteMail,
  listSentSince,
  lockSending,
  takeDueMail,
  updateMail,
  type MailRow,
} from './mail-queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long a mail that is not taken is tried again. */
const TRIED_FOR_MS = 48 * HOUR_MS;
const LONGEST_PAUSE_MS = 6 * HOUR_MS;

type Context = Pick<
  AppContext,
  'config' | 'db' | 'clock' | 'logger' | 'mailer' | 'storage' | 'imageDecoder' | 'publicAddress'
>;

/**
 * Sends what may go out now, one mail in one transaction: ended in the middle, it goes on where it was. Whether
 * someone still wants it, and which of its photos are still there, is asked again at that moment.
 */
export function sendMailsJob(context: Context): JobHandler<object> {
  return async () => {
    while (await sendNext(context));
  };
}

async function sendNext(context: Context): Promise<boolean> {
  let mail: MailRow | null = null;
  try {
    await context.db.transaction(async (tx) => {
      mail = await takeDueMail(tx, context.clock.now());
      if (!mail) return;
      const addressee = await getAddressee(tx, mail.ownerId, mail.contactId);
      if (!addressee.isWanted) await updateMail(tx, mail.id, { status: 'cancelled' });
      else if (!(await isHeldBack(context, tx, mail, addressee))) await send(context, tx, mail, addressee);
    });
  } catch (error) {
    const failed = mail as MailRow | null;
    if (!failed) throw error;
    // One that cannot be made must not keep the others from going out.
    context.logger.error({ err: error, mailId: failed.id }, 'A mail could not be sent');
    await context.db.transaction((tx) => delay(context, tx, failed));
  }
  return mail !== null;
}

/** Until the owner's address is verified, and while they have sent so many within an hour: nothing is lost. */
async function isHeldBack(
  { config, clock, mailer }: Context,
  tx: Tx,
  { id, ownerId }: MailRow,
  { owner }: Addressee,
): Promise<boolean> {
  const now = clock.now().getTime();
  const holdBackUntil = async (tryAt: number) => {
    await updateMail(tx, id, { tryAt: new Date(tryAt) });
    return true;
  };
  if (!isEmailVerified({ mailer }, owner)) return holdBackUntil(now + DAY_MS);
  const { mailsPerHourAndAccount: limit } = config.limits;
  await lockSending(tx, ownerId);
  const sent = await listSentSince(tx, ownerId, new Date(now - HOUR_MS));
  const freedBy = sent.at(-limit);
  return freedBy ? holdBackUntil(freedBy.getTime() + HOUR_MS + 1) : false;
}

async function send(context: Context, tx: Tx, mail: MailRow, addressee: Addressee): Promise<void> {
  const { mailer, clock, logger } = context;
  try {
    await releaseDeleted(tx, mail.id);
    const message = await composeMail(context, tx, mail, addressee);
    // Nothing is left to say: should a photo come back, it is owed again.
    if (!message) return await deleteMail(tx, mail.id);
    await mailer.send(message);
    await updateMail(tx, mail.id, { status: 'sent', sentAt: clock.now() });
  } catch (error) {
    if (error instanceof RecipientRefusedError) {
      logger.info({ err: error, mailId: mail.id }, 'The recipient of a mail was refused');
      await updateMail(tx, mail.id, { status: 'failed' });
      await updateContactRow(tx, mail.ownerId, mail.contactId, { undeliverableAt: clock.now() });
    } else if (error instanceof MailDelayedError) {
      const level = error.isTemporary ? 'info' : 'error';
      logger[level]({ err: error, mailId: mail.id }, 'A mail was delayed');
      await delay(context, tx, mail);
    } else {
      throw error;
    }
  }
}

/** Again after one minute, two, four, …, six hours; for two days. */
async function delay({ clock }: Context, tx: Tx, { id, tries, firstTriedAt }: MailRow): Promise<void> {
  const now = clock.now();
  const since = firstTriedAt ?? now;
  const pause = Math.min(MINUTE_MS * 2 ** tries, LONGEST_PAUSE_MS);
  const isOver = now.getTime() + pause > since.getTime() + TRIED_FOR_MS;
  await updateMail(tx, id, {
    ...(isOver ? { status: 'failed' as const } : { tryAt: new Date(now.getTime() + pause) }),
    tries: tries + 1,
    firstTriedAt: since,
  });
}
