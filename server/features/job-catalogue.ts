import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { DRAWING_TIMEOUT_MS } from '../platform/caricature-generator/caricature-generator.ts';
import type { JobDefinition } from '../platform/jobs/job-queue.ts';

function defineJob<Payload extends object>(
  schema: z.ZodType<Payload>,
  definition: Omit<JobDefinition<Payload>, 'parse'>,
): JobDefinition<Payload> {
  return { ...definition, parse: (payload) => schema.parse(payload) };
}

/** Memories that were deleted long ago. */
export const purgeTrashJobDefinition = defineJob(z.object({}), {
  name: 'purge-trash',
  retries: 2,
  expireInSeconds: 15 * 60,
  cron: '37 * * * *',
});

const MakeFlipbookPdfPayload = z.object({ ownerId: z.string(), flipbookPdfId: z.string() });
export type MakeFlipbookPdfPayload = z.infer<typeof MakeFlipbookPdfPayload>;

/** A book as a PDF: five hundred photos take minutes. */
export const makeFlipbookPdfJobDefinition = defineJob(MakeFlipbookPdfPayload, {
  name: 'make-flipbook-pdf',
  retries: 3,
  expireInSeconds: 2 * 60 * 60,
});

const DeleteFlipbookPdfObjectPayload = z.object({ flipbookPdfId: z.string() });
export type DeleteFlipbookPdfObjectPayload = z.infer<typeof DeleteFlipbookPdfObjectPayload>;

/** What is stored of a PDF that was deleted. */
export const deleteFlipbookPdfObjectJobDefinition = defineJob(DeleteFlipbookPdfObjectPayload, {
  name: 'delete-flipbook-pdf-object',
  retries: 14,
  expireInSeconds: 60,
});

/** PDFs that are old, and those whose worker has died. */
export const tendFlipbookPdfsJobDefinition = defineJob(z.object({}), {
  name: 'tend-flipbook-pdfs',
  retries: 0,
  expireInSeconds: 60,
  cron: '* * * * *',
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

const DrawCaricaturePayload = z.object({ ownerId: z.string(), caricatureId: z.string() });
export type DrawCaricaturePayload = z.infer<typeof DrawCaricaturePayload>;

/**
 * One photo, one try. Artists elsewhere take their time: several are waited for at once. A second worker begins only
 * when the first has certainly ended: after the artist's time, and as much as it takes to read and to store.
 */
export const drawCaricatureJobDefinition = defineJob(DrawCaricaturePayload, {
  name: 'draw-caricature',
  retries: 3,
  expireInSeconds: DRAWING_TIMEOUT_MS / 1000 + 120,
  atOnce: 4,
});

/** Caricatures that nobody has drawn in time. */
export const tendCaricaturesJobDefinition = defineJob(z.object({}), {
  name: 'tend-caricatures',
  retries: 0,
  expireInSeconds: 60,
  cron: '* * * * *',
  isRunAtStart: true,
});
