import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob, type Job } from '../../platform/jobs/define-job.ts';
import { EmailDelayedError, RecipientRejectedError } from '../../platform/mailer/mailer.ts';
import { markUndeliverable } from './delivery-queries.ts';
import { composeEmail } from './compose-email.ts';
import { emailDomain, endLease, extendLease, type Exclusions } from './email-queries.ts';
import { LEASE_MS, leaseDueEmail, nextAttempt, type LeasedEmail } from './lease-due-email.ts';

/** Per process. */
const MAX_CONCURRENT_EMAILS = 6;
/** Per process: a domain with a slow mail server must not delay the others. */
const MAX_CONCURRENT_EMAILS_PER_DOMAIN = MAX_CONCURRENT_EMAILS / 2;
const LEASE_EXTENSION_INTERVAL_MS = LEASE_MS / 3;
/** After this a job only waits for its emails in flight; cron enqueues another one within a minute. */
const MAX_LEASING_MS = 10 * 60_000;
/** All attempts together take less time than a lease. */
const RECORDING = { attempts: 10, delayMs: 2_000 };

/** Leases each due email, sends it outside of any transaction (SMTP may take ten minutes), and records the outcome. */
export const sendEmailsJob: Job = defineJob({
  name: 'send-emails',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 60 * 60,
  concurrency: MAX_CONCURRENT_EMAILS,
  runAtStart: true,
  async handle(context, _payload, stopping) {
    const startedAt = performance.now();
    const sending = new Set<Promise<void>>();
    try {
      for (;;) {
        const isOver = stopping?.aborted || performance.now() - startedAt > MAX_LEASING_MS;
        const leased = isOver ? null : await leaseNext(context);
        if (leased && leased !== 'not-now') {
          const sent: Promise<void> = send(context, leased).finally(() => sending.delete(sent));
          sending.add(sent);
        } else if (!leased) {
          if (sending.size === 0) return;
          await Promise.race(sending);
        }
      }
    } finally {
      await Promise.all(sending);
    }
  },
});

/** Shared by all jobs of a process, which has one context. */
type InFlight = { emails: Set<LeasedEmail>; lastLease: Promise<unknown> };
const inFlightByContext = new WeakMap<AppContext, InFlight>();

function inFlightOf(context: AppContext): InFlight {
  const inFlight = inFlightByContext.get(context) ?? { emails: new Set(), lastLease: Promise.resolve() };
  inFlightByContext.set(context, inFlight);
  return inFlight;
}

/** One at a time: two concurrent leases could both take a domain's last free place. */
function leaseNext(context: AppContext): Promise<LeasedEmail | 'not-now' | null> {
  const inFlight = inFlightOf(context);
  const next = inFlight.lastLease.then(async () => {
    if (inFlight.emails.size >= MAX_CONCURRENT_EMAILS) return null;
    const leased = await leaseDueEmail(context, toExclusions(inFlight.emails), sendEmailsJob);
    if (leased && leased !== 'not-now') inFlight.emails.add(leased);
    return leased;
  });
  inFlight.lastLease = next.catch(() => undefined);
  return next;
}

/** Emails in flight are excluded too: their leases may have expired during an outage of Postgres. */
function toExclusions(inFlight: ReadonlySet<LeasedEmail>): Exclusions {
  const domains = [...inFlight].map(({ recipient }) => emailDomain(recipient.email));
  const isFull = (domain: string) =>
    domains.filter((each) => each === domain).length >= MAX_CONCURRENT_EMAILS_PER_DOMAIN;
  return { emailIds: [...inFlight].map(({ email }) => email.id), domains: domains.filter(isFull) };
}

/** Never rejects: an email whose outcome was not recorded is sent again with the same Message-ID. */
async function send(context: AppContext, leased: LeasedEmail): Promise<void> {
  const { db, clock, logger } = context;
  const emailId = leased.email.id;
  const extending = setInterval(() => {
    extendLease(db, leased.email, new Date(clock.now().getTime() + LEASE_MS)).catch((error: unknown) =>
      logger.warn({ err: error, emailId }, "An email's lease could not be extended"),
    );
  }, LEASE_EXTENSION_INTERVAL_MS);
  try {
    await recordOutcome(context, leased, await attemptToSend(context, leased));
  } catch (error) {
    logger.error({ err: error, emailId }, "An email's outcome could not be recorded");
  } finally {
    clearInterval(extending);
    inFlightOf(context).emails.delete(leased);
  }
}

type Outcome = 'sent' | 'rejected' | 'delayed';

async function attemptToSend(context: AppContext, leased: LeasedEmail): Promise<Outcome> {
  const { mailer, logger } = context;
  const emailId = leased.email.id;
  try {
    await mailer.send(await composeEmail(context, leased));
    return 'sent';
  } catch (error) {
    if (error instanceof RecipientRejectedError) {
      logger.info({ err: error, emailId }, 'A mail server rejected the recipient of an email');
      return 'rejected';
    }
    const isTemporary = error instanceof EmailDelayedError && error.isTemporary;
    logger[isTemporary ? 'info' : 'error']({ err: error, emailId }, 'An email was delayed');
    return 'delayed';
  }
}

/** Retries over a restart of Postgres: an email without a recorded outcome is sent again. */
async function recordOutcome(context: AppContext, leased: LeasedEmail, outcome: Outcome): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToRecord(context, leased, outcome);
    } catch (error) {
      if (attempt === RECORDING.attempts) throw error;
      await pause(RECORDING.delayMs, undefined, { ref: false });
    }
  }
}

async function tryToRecord(
  { db, clock, logger }: AppContext,
  { email, recipient }: LeasedEmail,
  outcome: Outcome,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (outcome === 'sent') await endLease(tx, email, { status: 'sent', sentAt: now });
    if (outcome === 'delayed') {
      const next = nextAttempt(email, now);
      await endLease(tx, email, next);
      if ('status' in next) logger.error({ emailId: email.id }, 'An email failed after two days of retries');
    }
    if (outcome === 'rejected' && (await endLease(tx, email, { status: 'failed' }))) {
      await markUndeliverable(tx, email.contactId, recipient.suppressionEntryId, now);
    }
  });
}
