import { generateCaricatureJob } from '../features/caricatures/generate-caricature-job.ts';
import { expireStaleCaricaturesJob } from '../features/caricatures/expire-stale-caricatures-job.ts';
import { deleteFlipbookPdfObjectJob } from '../features/flipbooks/delete-flipbook-pdf-object-job.ts';
import { makeFlipbookPdfJob } from '../features/flipbooks/make-flipbook-pdf-job.ts';
import { requeueStalledPdfsJob } from '../features/flipbooks/requeue-stalled-pdfs-job.ts';
import { groupDeliveriesJob } from '../features/deliveries/group-deliveries-job.ts';
import { groupOverdueDeliveriesJob } from '../features/deliveries/group-overdue-deliveries-job.ts';
import { deleteReceivedObjectsJob } from '../features/users/delete-received-objects-job.ts';
import { purgeInvitesJob } from '../features/invites/purge-invites-job.ts';
import { sendInviteEmailJob } from '../features/invites/send-invite-email-job.ts';
import { purgeUserTokensJob } from '../features/users/purge-user-tokens-job.ts';
import { purgeUnverifiedUsersJob } from '../features/users/purge-unverified-users-job.ts';
import { purgePhoneCodesJob } from '../features/phone-verification/purge-phone-codes-job.ts';
import { sendAccountEmailJob } from '../features/users/send-account-email-job.ts';
import { sendEmailsJob } from '../features/deliveries/send-emails-job.ts';
import { ingestSmsJob } from '../features/inbound-sms/ingest-sms-job.ts';
import { purgeInboundMessagesJob } from '../features/inbound-sms/purge-inbound-messages-job.ts';
import { purgeDevOutboxJob } from '../features/dev-outbox/purge-dev-outbox-job.ts';
import { sendSmsJob } from '../features/inbound-sms/send-sms-job.ts';
import { answerEmailJob } from '../features/inbound-email/answer-email-job.ts';
import { ingestEmailsJob } from '../features/inbound-email/ingest-emails-job.ts';
import { purgeInboundEmailsJob } from '../features/inbound-email/purge-inbound-emails-job.ts';
import { createVariantsJob } from '../features/images/create-variants-job.ts';
import { purgeIdempotencyKeysJob } from '../features/idempotency/purge-idempotency-keys-job.ts';
import { deleteImageObjectsJob } from '../features/images/delete-image-objects-job.ts';
import { purgeTrashJob } from '../features/memories/purge-trash-job.ts';
import { purgeUploadsJob } from '../features/uploads/purge-uploads-job.ts';
import type { Job } from '../platform/jobs/define-job.ts';

/** All kinds of jobs. At start the queue creates what is missing and drops schedules that are not listed. */
export const jobs: readonly Job[] = [
  createVariantsJob,
  deleteImageObjectsJob,
  purgeIdempotencyKeysJob,
  purgeUploadsJob,
  purgeTrashJob,
  makeFlipbookPdfJob,
  deleteFlipbookPdfObjectJob,
  requeueStalledPdfsJob,
  groupDeliveriesJob,
  groupOverdueDeliveriesJob,
  sendEmailsJob,
  sendAccountEmailJob,
  purgeUserTokensJob,
  deleteReceivedObjectsJob,
  sendInviteEmailJob,
  purgeInvitesJob,
  purgeUnverifiedUsersJob,
  purgePhoneCodesJob,
  generateCaricatureJob,
  expireStaleCaricaturesJob,
  ingestSmsJob,
  sendSmsJob,
  purgeInboundMessagesJob,
  ingestEmailsJob,
  answerEmailJob,
  purgeInboundEmailsJob,
  purgeDevOutboxJob,
];
