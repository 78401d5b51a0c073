import { generateCaricatureJob } from '../features/caricatures/generate-caricature-job.ts';
import { expireStaleCaricaturesJob } from '../features/caricatures/expire-stale-caricatures-job.ts';
import { makeFlipbookPdfJob } from '../features/flipbooks/make-flipbook-pdf-job.ts';
import { makeExportJob } from '../features/exports/make-export-job.ts';
import { purgeExportsJob } from '../features/exports/purge-exports-job.ts';
import { addImportJob } from '../features/imports/add-import-job.ts';
import { purgeImportsJob } from '../features/imports/purge-imports-job.ts';
import { requeueStalledPdfsJob } from '../features/flipbooks/requeue-stalled-pdfs-job.ts';
import { groupDeliveriesJob } from '../features/deliveries/group-deliveries-job.ts';
import { groupOverdueDeliveriesJob } from '../features/deliveries/group-overdue-deliveries-job.ts';
import { deleteReceivedObjectsJob } from '../features/accounts/deletion/delete-received-objects-job.ts';
import { recordAdminChangeJob } from '../features/accounts/users/record-admin-change-job.ts';
import { sendInvitationEmailJob } from '../features/accounts/invitations/send-invitation-email-job.ts';
import { purgeAsleepUsersJob } from '../features/accounts/deletion/purge-asleep-users-job.ts';
import { purgeUnverifiedUsersJob } from '../features/accounts/emailed-links/purge-unverified-users-job.ts';
import { sendSecurityNoticeJob } from '../features/accounts/users/send-security-notice-job.ts';
import { sendAccountEmailJob } from '../features/accounts/users/send-account-email-job.ts';
import { sendEmailsJob } from '../features/deliveries/send-emails-job.ts';
import { ingestSmsJob } from '../features/inbound-sms/ingest-sms-job.ts';
import { purgeInboundMessagesJob } from '../features/inbound-sms/purge-inbound-messages-job.ts';
import { purgeDevOutboxJob } from '../features/dev-outbox/purge-dev-outbox-job.ts';
import { pullMissedSmsJob } from '../features/inbound-sms/pull-missed-sms-job.ts';
import { sendSmsJob } from '../features/inbound-sms/send-sms-job.ts';
import { replyToEmailJob } from '../features/inbound-email/reply-to-email-job.ts';
import { ingestEmailsJob } from '../features/inbound-email/ingest-emails-job.ts';
import { purgeInboundEmailsJob } from '../features/inbound-email/purge-inbound-emails-job.ts';
import { nightlyBackupJob } from '../features/backups/nightly/nightly-backup-job.ts';
import { sendBackupFailureJob } from '../features/backups/nightly/send-backup-failure-job.ts';
import { finishAbandonedBatchesJob } from '../features/batches/finish-abandoned-batches-job.ts';
import { createVariantsJob } from '../features/images/create-variants-job.ts';
import { countOldCopiesJob } from '../features/images/count-old-copies-job.ts';
import { remakeCopiesJob } from '../features/images/remake-copies-job.ts';
import { deleteImageObjectsJob } from '../features/images/delete-image-objects-job.ts';
import { deleteObjectsJob } from '../features/storage/delete-objects-job.ts';
import { purgeTrashJob } from '../features/memories/trash/purge-trash-job.ts';
import { updateSearchTermsJob } from '../features/memories/update-search-terms-job.ts';
import { purgeIncompleteObjectsJob } from '../features/uploads/purge-incomplete-objects-job.ts';
import { purgeUploadsJob } from '../features/uploads/purge-uploads-job.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import { purgeExpiredRowsJob } from './purge-expired-rows-job.ts';

/** All kinds of jobs. At start the queue creates what is missing and drops schedules that are not listed. */
export const jobs: readonly Job[] = [
  requeueStalledPdfsJob,
  purgeExportsJob,
  purgeImportsJob,
  groupOverdueDeliveriesJob,
  sendEmailsJob,
  expireStaleCaricaturesJob,
  ingestEmailsJob,
  nightlyBackupJob,
  purgeUploadsJob,
  pullMissedSmsJob,
  purgeExpiredRowsJob,
  purgeAsleepUsersJob,
  purgeDevOutboxJob,
  finishAbandonedBatchesJob,
  purgeInboundEmailsJob,
  purgeTrashJob,
  purgeIncompleteObjectsJob,
  purgeUnverifiedUsersJob,
  purgeInboundMessagesJob,
  createVariantsJob,
  countOldCopiesJob,
  remakeCopiesJob,
  deleteImageObjectsJob,
  deleteObjectsJob,
  sendBackupFailureJob,
  updateSearchTermsJob,
  makeFlipbookPdfJob,
  makeExportJob,
  addImportJob,
  groupDeliveriesJob,
  sendAccountEmailJob,
  sendSecurityNoticeJob,
  deleteReceivedObjectsJob,
  sendInvitationEmailJob,
  recordAdminChangeJob,
  generateCaricatureJob,
  ingestSmsJob,
  sendSmsJob,
  replyToEmailJob,
];

/** By former name. */
export const currentJobNames = Object.fromEntries(
  jobs.flatMap(({ name, formerNames = [] }) => formerNames.map((former) => [former, name])),
);
