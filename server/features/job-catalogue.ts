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

/** Longer than a slow mail server may take for one mail (RFC 5321, 4.5.3.2). */
const MAIL_EXPIRE_SECONDS = 40 * 60;

const IngestMmsPayload = z.object({ ownerId: z.string(), messageId: z.string() });
export type IngestMmsPayload = z.infer<typeof IngestMmsPayload>;

/** What a text says. Photos may come slowly: several texts are waited for at once. */
export const ingestMmsJobDefinition = defineJob(IngestMmsPayload, {
  name: 'ingest-mms',
  retries: 14,
  expireInSeconds: 120,
  atOnce: 4,
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
  isRunAtStart: true,
});

const AnswerEmailPayload = z.object({ ownerId: z.string(), emailId: z.string() });
export type AnswerEmailPayload = z.infer<typeof AnswerEmailPayload>;

/** Says to whoever has mailed photos in what came of them: for a day, should the mail server be away. */
export const answerEmailJobDefinition = defineJob(AnswerEmailPayload, {
  name: 'answer-email',
  retries: 14,
  expireInSeconds: MAIL_EXPIRE_SECONDS,
  atOnce: 2,
});

/** Mail that waited too long for its owner's OK, and what is left of other mail. */
export const purgeInboundEmailsJobDefinition = defineJob(z.object({}), {
  name: 'purge-inbound-emails',
  retries: 2,
  expireInSeconds: 15 * 60,
  cron: '27 * * * *',
});
