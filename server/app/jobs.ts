import { generateCaricatureJob } from '../features/caricatures/generate-caricature-job.ts';
import { expireStaleCaricaturesJob } from '../features/caricatures/expire-stale-caricatures-job.ts';
import { deleteFlipbookPdfObjectJob } from '../features/flipbooks/delete-flipbook-pdf-object-job.ts';
import { makeFlipbookPdfJob } from '../features/flipbooks/make-flipbook-pdf-job.ts';
import { requeueStalledPdfsJob } from '../features/flipbooks/requeue-stalled-pdfs-job.ts';
import { groupDeliveriesJob } from '../features/deliveries/group-deliveries-job.ts';
import { groupOverdueJob } from '../features/deliveries/group-overdue-job.ts';
import { purgeAccountTokensJob } from '../features/users/purge-user-tokens-job.ts';
import { purgePhoneCodesJob } from '../features/phone-verification/purge-phone-codes-job.ts';
import { sendAccountMailJob } from '../features/users/send-account-email-job.ts';
import { sendMailsJob } from '../features/deliveries/send-emails-job.ts';
import { ingestMmsJob } from '../features/inbound-sms/ingest-sms-job.ts';
import { purgeInboundMessagesJob } from '../features/inbound-sms/purge-inbound-sms-job.ts';
import { sendTextJob } from '../features/inbound-sms/send-sms-job.ts';
import { answerEmailJob } from '../features/inbound-email/answer-email-job.ts';
import { ingestEmailsJob } from '../features/inbound-email/ingest-emails-job.ts';
import { purgeInboundEmailsJob } from '../features/inbound-email/purge-inbound-emails-job.ts';
import { createVariantsJob } from '../features/images/create-variants-job.ts';
import { purgeIdempotencyKeysJob } from '../features/idempotency/purge-idempotency-keys-job.ts';
import { deleteImageObjectsJob } from '../features/images/delete-image-objects-job.ts';
import { purgeTrashJob } from '../features/memories/purge-trash-job.ts';
import { purgeUploadsJob } from '../features/uploads/purge-uploads-job.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import type { JobDefinition, JobHandler } from '../platform/jobs/job-queue.ts';
import type { AppContext } from '../platform/context.ts';
import * as catalogue from '../features/job-catalogue.ts';

/** All kinds of jobs. At start the queue creates what is missing and drops schedules that are not listed. */
export const jobs: readonly Job[] = [
  createVariantsJob,
  deleteImageObjectsJob,
  purgeIdempotencyKeysJob,
  legacy(catalogue.purgeUploadsJobDefinition, purgeUploadsJob),
  purgeTrashJob,
  makeFlipbookPdfJob,
  deleteFlipbookPdfObjectJob,
  requeueStalledPdfsJob,
  legacy(catalogue.groupDeliveriesJobDefinition, groupDeliveriesJob),
  legacy(catalogue.groupOverdueJobDefinition, groupOverdueJob),
  legacy(catalogue.sendMailsJobDefinition, sendMailsJob),
  legacy(catalogue.sendAccountMailJobDefinition, sendAccountMailJob),
  legacy(catalogue.purgeAccountTokensJobDefinition, purgeAccountTokensJob),
  legacy(catalogue.purgePhoneCodesJobDefinition, purgePhoneCodesJob),
  generateCaricatureJob,
  expireStaleCaricaturesJob,
  legacy(catalogue.ingestMmsJobDefinition, ingestMmsJob),
  legacy(catalogue.sendTextJobDefinition, sendTextJob),
  legacy(catalogue.purgeInboundMessagesJobDefinition, purgeInboundMessagesJob),
  legacy(catalogue.ingestEmailsJobDefinition, ingestEmailsJob),
  legacy(catalogue.answerEmailJobDefinition, answerEmailJob),
  legacy(catalogue.purgeInboundEmailsJobDefinition, purgeInboundEmailsJob),
];

/** Removed as soon as each job above is made by `defineJob` in its feature. */
function legacy<Payload extends object>(
  definition: JobDefinition<Payload>,
  createHandler: (context: AppContext) => JobHandler<Payload>,
): Job<Payload> {
  return { ...definition, handle: (context, payload, stopping) => createHandler(context)(payload, stopping) };
}
