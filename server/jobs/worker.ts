import { drawCaricatureJob } from '../caricatures/draw-caricature-job.ts';
import { tendCaricaturesJob } from '../caricatures/tend-caricatures-job.ts';
import type { AppContext } from '../context.ts';
import { deleteFlipbookPdfObjectJob } from '../flipbooks/delete-flipbook-pdf-object-job.ts';
import { makeFlipbookPdfJob } from '../flipbooks/make-flipbook-pdf-job.ts';
import { tendFlipbookPdfsJob } from '../flipbooks/tend-flipbook-pdfs-job.ts';
import { groupDeliveriesJob } from '../deliveries/group-deliveries-job.ts';
import { groupOverdueJob } from '../deliveries/group-overdue-job.ts';
import { purgeAccountTokensJob } from '../users/purge-account-tokens-job.ts';
import { purgePhoneCodesJob } from '../phone-verification/purge-phone-codes-job.ts';
import { sendAccountMailJob } from '../users/send-account-mail-job.ts';
import { sendMailsJob } from '../deliveries/send-mails-job.ts';
import { ingestMmsJob } from '../ingest/texts/ingest-mms-job.ts';
import { purgeInboundMessagesJob } from '../ingest/purge-inbound-messages-job.ts';
import { sendTextJob } from '../ingest/texts/send-text-job.ts';
import { answerEmailJob } from '../ingest/mail/answer-email-job.ts';
import { ingestEmailsJob } from '../ingest/mail/ingest-emails-job.ts';
import { purgeInboundEmailsJob } from '../ingest/mail/purge-inbound-emails-job.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { purgeIdempotencyKeysJob } from '../idempotency/purge-idempotency-keys-job.ts';
import { deleteImageObjectsJob } from '../images/delete-image-objects-job.ts';
import { purgeTrashJob } from '../memories/purge-trash-job.ts';
import { purgeUploadsJob } from '../uploads/purge-uploads-job.ts';
import {
  answerEmailJobDefinition,
  createVariantsJobDefinition,
  ingestEmailsJobDefinition,
  purgeInboundEmailsJobDefinition,
  groupDeliveriesJobDefinition,
  groupOverdueJobDefinition,
  ingestMmsJobDefinition,
  purgeInboundMessagesJobDefinition,
  sendTextJobDefinition,
  purgeAccountTokensJobDefinition,
  purgePhoneCodesJobDefinition,
  sendAccountMailJobDefinition,
  sendMailsJobDefinition,
  deleteImageObjectsJobDefinition,
  deleteFlipbookPdfObjectJobDefinition,
  makeFlipbookPdfJobDefinition,
  purgeIdempotencyKeysJobDefinition,
  purgeTrashJobDefinition,
  purgeUploadsJobDefinition,
  tendFlipbookPdfsJobDefinition,
  drawCaricatureJobDefinition,
  tendCaricaturesJobDefinition,
} from './job-catalogue.ts';

/** Gives every kind of job its handler. */
export function startWorker(context: AppContext): void {
  context.jobs.work(createVariantsJobDefinition, createVariantsJob(context));
  context.jobs.work(deleteImageObjectsJobDefinition, deleteImageObjectsJob(context));
  context.jobs.work(purgeUploadsJobDefinition, purgeUploadsJob(context));
  context.jobs.work(purgeTrashJobDefinition, purgeTrashJob(context));
  context.jobs.work(purgeIdempotencyKeysJobDefinition, purgeIdempotencyKeysJob(context));
  context.jobs.work(makeFlipbookPdfJobDefinition, makeFlipbookPdfJob(context));
  context.jobs.work(deleteFlipbookPdfObjectJobDefinition, deleteFlipbookPdfObjectJob(context));
  context.jobs.work(tendFlipbookPdfsJobDefinition, tendFlipbookPdfsJob(context));
  context.jobs.work(groupDeliveriesJobDefinition, groupDeliveriesJob(context));
  context.jobs.work(groupOverdueJobDefinition, groupOverdueJob(context));
  context.jobs.work(sendMailsJobDefinition, sendMailsJob(context));
  context.jobs.work(sendAccountMailJobDefinition, sendAccountMailJob(context));
  context.jobs.work(purgeAccountTokensJobDefinition, purgeAccountTokensJob(context));
  context.jobs.work(purgePhoneCodesJobDefinition, purgePhoneCodesJob(context));
  context.jobs.work(drawCaricatureJobDefinition, drawCaricatureJob(context));
  context.jobs.work(tendCaricaturesJobDefinition, tendCaricaturesJob(context));
  context.jobs.work(ingestMmsJobDefinition, ingestMmsJob(context));
  context.jobs.work(sendTextJobDefinition, sendTextJob(context));
  context.jobs.work(purgeInboundMessagesJobDefinition, purgeInboundMessagesJob(context));
  context.jobs.work(ingestEmailsJobDefinition, ingestEmailsJob(context));
  context.jobs.work(answerEmailJobDefinition, answerEmailJob(context));
  context.jobs.work(purgeInboundEmailsJobDefinition, purgeInboundEmailsJob(context));
}
