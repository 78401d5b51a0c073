import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { JobDefinition } from '../platform/jobs/job-queue.ts';

function defineJob<Payload extends object>(
  schema: z.ZodType<Payload>,
  definition: Omit<JobDefinition<Payload>, 'parse'>,
): JobDefinition<Payload> {
  return { ...definition, parse: (payload) => schema.parse(payload) };
}

const GroupDeliveriesPayload = z.object({ ownerId: z.string() });
export type GroupDeliveriesPayload = z.infer<typeof GroupDeliveriesPayload>;

/** An owner's photos that wait for their contacts become mails. */
export const groupDeliveriesJobDefinition = defineJob(GroupDeliveriesPayload, {
  name: 'group-deliveries',
  retries: 14,
  expireInSeconds: 60,
});

/** Photos that have waited for a week, for whoever wants them so; and those whose own job has died. */
export const groupOverdueJobDefinition = defineJob(z.object({}), {
  name: 'group-overdue',
  retries: 0,
  expireInSeconds: 60,
  cron: '* * * * *',
  isRunAtStart: true,
});

/** How many mails to contacts a process sends at the same time. */
export const MAX_MAILS_AT_ONCE = 6;
/** Longer than a slow mail server may take for one mail (RFC 5321, 4.5.3.2). */
const MAIL_EXPIRE_SECONDS = 40 * 60;

/**
 * All mails that may go out now, whoever's. Comes by itself for those that were delayed. As many jobs as mails at once:
 * each job may be waiting for a slow mail server.
 */
export const sendMailsJobDefinition = defineJob(z.object({}), {
  name: 'send-mails',
  retries: 2,
  expireInSeconds: 60 * 60,
  atOnce: MAX_MAILS_AT_ONCE,
  cron: '* * * * *',
  isRunAtStart: true,
});

const SendAccountMailPayload = z.object({
  userId: z.string(),
  purpose: z.enum(['verify-email', 'reset-password']),
  /** Stays the same over retries. Jobs of earlier versions have none. */
  mailId: z.string().default(() => uuidv7()),
});
export type SendAccountMailPayload = z.infer<typeof SendAccountMailPayload>;

/** A link by which someone proves that an address is theirs. */
export const sendAccountMailJobDefinition = defineJob(SendAccountMailPayload, {
  name: 'send-account-mail',
  retries: 8,
  expireInSeconds: MAIL_EXPIRE_SECONDS,
  atOnce: 2,
});

/** Links that nobody can use any more. */
export const purgeAccountTokensJobDefinition = defineJob(z.object({}), {
  name: 'purge-account-tokens',
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '51 3 * * *',
});

/** Codes that nobody typed in time. */
export const purgePhoneCodesJobDefinition = defineJob(z.object({}), {
  name: 'purge-phone-codes',
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '13 * * * *',
});
