import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { addSmsPhotos, INGEST_SMS_EXPIRE_SECONDS, MAX_ATTEMPTS } from './add-sms-photos.ts';
import { answerSms } from './answer-sms.ts';
import { beginMessage, hasPendingPhotos, type InboundMessageRow } from './inbound-sms-queries.ts';
import { moveLastPhotos, undoLastPhotos } from './undo-and-move-photos.ts';
import { NO_PHOTO } from './sms-replies.ts';

/** For photos sent before: twice the 105 minutes that all their attempts take, in case the queue is busy. */
const PENDING_PHOTO_TIMEOUT_MS = 3.5 * 60 * 60 * 1000;
const PENDING_PHOTO_POLL_SECONDS = 3;

export const ingestSmsJob = defineJob({
  // The name of an earlier release: jobs with a payload may be pending under it.
  name: 'ingest-mms',
  payload: z.object({ ownerId: z.string(), messageId: z.string() }),
  // Some more than the photos get, since the reply may fail as well.
  retries: MAX_ATTEMPTS + 4,
  expireInSeconds: INGEST_SMS_EXPIRE_SECONDS,
  // Downloads may be slow.
  concurrency: 4,
  async handle(context, { ownerId, messageId }) {
    const message = await beginMessage(context.db, ownerId, messageId);
    if (message) await execute(context, message);
  },
});

async function execute(context: AppContext, message: InboundMessageRow): Promise<void> {
  if (message.kind === 'photos') return addSmsPhotos(context, message);
  if (message.kind === 'words') return answerSms(context, message, () => NO_PHOTO);
  const since = new Date(context.clock.now().getTime() - PENDING_PHOTO_TIMEOUT_MS);
  if (await hasPendingPhotos(context.db, message, since)) return requeue(context, message);
  return answerSms(context, message, (tx, pets) =>
    message.kind === 'undo' ? undoLastPhotos(context, tx, message) : moveLastPhotos(tx, message, pets),
  );
}

async function requeue({ db, jobs }: AppContext, { ownerId, id }: InboundMessageRow): Promise<void> {
  const options = { delaySeconds: PENDING_PHOTO_POLL_SECONDS };
  await db.transaction((tx) => jobs.enqueue(tx, ingestSmsJob, { ownerId, messageId: id }, options));
}
