import { setTimeout as pause } from 'node:timers/promises';
import type { AppContext } from '../../platform/context.ts';
import { markUndeliverable } from '../contacts/contact-queries.ts';
import { MAX_MAILS_AT_ONCE } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { EmailDelayedError, RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import { composeMail } from './compose-email.ts';
import { LEASE_MS, leaseDueMail, type LeasedMail } from './lease-due-email.ts';
import { emailDomain, endLease, extendLease, type Exclusions } from './email-queries.ts';
import { nextTry } from './next-attempt.ts';

/** A domain whose server is slow leaves room for the others. */
const MAX_MAILS_AT_ONCE_TO_A_DOMAIN = MAX_MAILS_AT_ONCE / 2;
const EXTEND_LEASE_EVERY_MS = LEASE_MS / 3;
/** After that a job only waits for what it is sending; the next minute brings another. */
const MAX_LEASING_MS = 10 * 60_000;
/** Together shorter than a lease. */
const RECORD = { attempts: 10, pauseMs: 2_000 };

type Context = Pick<
  AppContext,
  'config' | 'db' | 'jobs' | 'clock' | 'logger' | 'mailer' | 'storage' | 'imageDecoder' | 'baseUrl'
>;

/**
 * Sends what may go out now, several mails at once. Each is leased in one transaction, sent outside of any (a mail
 * server may take ten minutes to answer), and what came of it is recorded in another.
 */
export function sendMailsJob(context: Context): JobHandler<object> {
  /** What this process is sending, whichever of its jobs does. */
  const underWay = new Set<LeasedMail>();
  let lastLease: Promise<unknown> = Promise.resolve();

  /** One after the other: two at once would both see room for the same domain. */
  function leaseNext(): Promise<LeasedMail | 'not-now' | null> {
    const next = lastLease.then(async () => {
      if (underWay.size >= MAX_MAILS_AT_ONCE) return null;
      const leased = await leaseDueMail(context, exclusions());
      if (leased && leased !== 'not-now') underWay.add(leased);
      return leased;
    });
    lastLease = next.catch(() => undefined);
    return next;
  }

  /** Also what is under way: its lease may be over when Postgres comes back from a standstill. */
  function exclusions(): Exclusions {
    const domains = [...underWay].map(({ addressee }) => emailDomain(addressee.email));
    const isFull = (domain: string) =>
      domains.filter((each) => each === domain).length >= MAX_MAILS_AT_ONCE_TO_A_DOMAIN;
    return { mailIds: [...underWay].map(({ mail }) => mail.id), domains: domains.filter(isFull) };
  }

  async function send(leased: LeasedMail): Promise<void> {
    await sendLeased(context, leased);
    underWay.delete(leased);
  }

  return async (_payload, stopping) => {
    const startedAt = performance.now();
    const sending = new Set<Promise<void>>();
    try {
      for (;;) {
        const isOver = stopping?.aborted || performance.now() - startedAt > MAX_LEASING_MS;
        const leased = isOver ? null : await leaseNext();
        if (leased && leased !== 'not-now') {
          const sent: Promise<void> = send(leased).finally(() => sending.delete(sent));
          sending.add(sent);
        } else if (!leased) {
          if (sending.size === 0) return;
          await Promise.race(sending);
        }
      }
    } finally {
      await Promise.all(sending);
    }
  };
}

/** Never fails: what could not be recorded is sent again, under the same Message-ID, once the lease is over. */
async function sendLeased(context: Context, leased: LeasedMail): Promise<void> {
  const { db, clock, logger } = context;
  const mailId = leased.mail.id;
  const extending = setInterval(() => {
    extendLease(db, leased.mail, new Date(clock.now().getTime() + LEASE_MS)).catch((error: unknown) =>
      logger.warn({ err: error, mailId }, 'The lease of a mail could not be extended'),
    );
  }, EXTEND_LEASE_EVERY_MS);
  try {
    const outcome = await trySending(context, leased);
    await record(context, leased, outcome);
  } catch (error) {
    logger.error({ err: error, mailId }, 'What came of a mail could not be recorded');
  } finally {
    clearInterval(extending);
  }
}

type Outcome = 'sent' | 'refused' | 'delayed';

async function trySending(context: Context, leased: LeasedMail): Promise<Outcome> {
  const { mailer, logger } = context;
  const mailId = leased.mail.id;
  try {
    await mailer.send(await composeMail(context, leased));
    return 'sent';
  } catch (error) {
    if (error instanceof RecipientRefusedError) {
      logger.info({ err: error, mailId }, 'The recipient of a mail was refused');
      return 'refused';
    }
    const isTemporary = error instanceof EmailDelayedError && error.isTemporary;
    logger[isTemporary ? 'info' : 'error']({ err: error, mailId }, 'A mail was delayed');
    return 'delayed';
  }
}

/** Outlasts a restart of Postgres: unrecorded, a mail that was sent goes out again. */
async function record(context: Context, leased: LeasedMail, outcome: Outcome): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await recordOnce(context, leased, outcome);
    } catch (error) {
      if (attempt === RECORD.attempts) throw error;
      await pause(RECORD.pauseMs, undefined, { ref: false });
    }
  }
}

async function recordOnce({ db, clock, logger }: Context, leased: LeasedMail, outcome: Outcome) {
  const { mail, addressee } = leased;
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (outcome === 'sent') await endLease(tx, mail, { status: 'sent', sentAt: now });
    if (outcome === 'delayed') {
      const next = nextTry(mail, now);
      await endLease(tx, mail, next);
      if ('status' in next) logger.error({ mailId: mail.id }, 'A mail was given up after two days');
    }
    if (outcome === 'refused' && (await endLease(tx, mail, { status: 'failed' }))) {
      await markUndeliverable(tx, mail.contactId, addressee.recipientId, now);
    }
  });
}
