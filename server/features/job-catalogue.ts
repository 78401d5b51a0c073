import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { JobDefinition } from '../platform/jobs/job-queue.ts';

function defineJob<Payload extends object>(
  schema: z.ZodType<Payload>,
  definition: Omit<JobDefinition<Payload>, 'parse'>,
): JobDefinition<Payload> {
  return { ...definition, parse: (payload) => schema.parse(payload) };
}

/** Uploads that never became a memory. */
export const purgeUploadsJobDefinition = defineJob(z.object({}), {
  name: 'purge-uploads',
  retries: 2,
  expireInSeconds: 15 * 60,
  cron: '17 * * * *',
});

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
  runAtStart: true,
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
  concurrency: MAX_MAILS_AT_ONCE,
  cron: '* * * * *',
  runAtStart: true,
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
  concurrency: 2,
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

const IngestMmsPayload = z.object({ ownerId: z.string(), messageId: z.string() });
export type IngestMmsPayload = z.infer<typeof IngestMmsPayload>;

/** What a text says. Photos may come slowly: several texts are waited for at once. */
export const ingestMmsJobDefinition = defineJob(IngestMmsPayload, {
  name: 'ingest-mms',
  retries: 14,
  expireInSeconds: 120,
  concurrency: 4,
});

const SendTextPayload = z.object({
  id: z.string(),
  to: z.string(),
  text: z.string(),
  /** How often the provider has asked us to wait. */
  postponed: z.optional(z.number()),
});
export type SendTextPayload = z.infer<typeof SendTextPayload>;

/** A text that nobody waits for on a screen. */
export const sendTextJobDefinition = defineJob(SendTextPayload, {
  name: 'send-text',
  retries: 10,
  expireInSeconds: 60,
});

/** Messages that came in long ago. */
export const purgeInboundMessagesJobDefinition = defineJob(z.object({}), {
  name: 'purge-inbound-messages',
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '23 3 * * *',
});

/** Mail that was received becomes memories, waits for its owner's OK, or is answered. */
export const ingestEmailsJobDefinition = defineJob(z.object({}), {
  name: 'ingest-emails',
  retries: 2,
  expireInSeconds: 30 * 60,
  cron: '* * * * *',
  runAtStart: true,
});

const AnswerEmailPayload = z.object({ ownerId: z.string(), emailId: z.string() });
export type AnswerEmailPayload = z.infer<typeof AnswerEmailPayload>;

/** Says to whoever has mailed photos in what came of them: for a day, should the mail server be away. */
export const answerEmailJobDefinition = defineJob(AnswerEmailPayload, {
  name: 'answer-email',
  retries: 14,
  expireInSeconds: MAIL_EXPIRE_SECONDS,
  concurrency: 2,
});

/** Mail that waited too long for its owner's OK, and what is left of other mail. */
export const purgeInboundEmailsJobDefinition = defineJob(z.object({}), {
  name: 'purge-inbound-emails',
  retries: 2,
  expireInSeconds: 15 * 60,
  cron: '27 * * * *',
});
