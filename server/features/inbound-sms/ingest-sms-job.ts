import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { DECODE_RETRY_SECONDS, DecodeTimeoutError } from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { INGEST_PHOTO_TIMEOUT_MS } from '../uploads/ingest-photo.ts';
import { addSmsPhotos, INGEST_SMS_EXPIRE_SECONDS, MAX_ATTEMPTS } from './add-sms-photos.ts';
import { replyToSms } from './reply-to-sms.ts';
import {
  beginMessage,
  findAcceptedMessage,
  hasPendingPhotos,
  type InboundMessageRow,
} from './inbound-sms-queries.ts';
import { likeLastPhotos, moveLastPhotos, undoLastPhotos } from './change-last-photos.ts';
import { NO_PHOTO } from './sms-replies.ts';

const HOUR_MS = 60 * 60 * 1000;
/**
 * While the disk is almost full, photos wait at Twilio. Then the sender is told. All attempts take 105 minutes, and up to
 * twice that in a busy queue.
 */
const MAX_WAIT_FOR_ROOM_MS = INGEST_PHOTO_TIMEOUT_MS - 4 * HOUR_MS;
const ROOM_POLL_SECONDS = 10 * 60;
const PENDING_PHOTO_POLL_SECONDS = 3;
/** Then less often: each poll is a job. */
const PENDING_PHOTO_POLL_SHARE = 1 / 20;

export const ingestSmsJob = defineJob({
  name: 'ingest-sms',
  formerNames: ['ingest-mms'],
  payload: z.object({ ownerId: z.string(), messageId: z.string() }),
  // Some more than the photos get, since the reply may fail as well.
  retries: MAX_ATTEMPTS + 4,
  expireInSeconds: INGEST_SMS_EXPIRE_SECONDS,
  leaseSeconds: 30,
  // Downloads may be slow.
  concurrency: 4,
  async handle(context, { ownerId, messageId }) {
    const message = await findAcceptedMessage(context.db, ownerId, messageId);
    if (message) await execute(context, message);
  },
});

async function execute(context: AppContext, message: InboundMessageRow): Promise<void> {
  if (message.kind === 'photos') return addPhotosOrWait(context, message);
  if (message.kind === 'no-photos') return replyToSms(context, message, () => NO_PHOTO);
  const since = new Date(context.clock.now().getTime() - INGEST_PHOTO_TIMEOUT_MS);
  if (await hasPendingPhotos(context.db, message, since)) {
    const waitedSeconds = ageOf(context, message) / 1000;
    const delay = Math.max(PENDING_PHOTO_POLL_SECONDS, waitedSeconds * PENDING_PHOTO_POLL_SHARE);
    return requeue(context, message, Math.round(delay));
  }
  if (message.kind === 'like' || message.kind === 'unlike') return likeLastPhotos(context, message);
  return replyToSms(context, message, (tx, pets) =>
    message.kind === 'undo' ? undoLastPhotos(context, tx, message) : moveLastPhotos(tx, message, pets),
  );
}

/** Waiting for room is no attempt. */
async function addPhotosOrWait(context: AppContext, message: InboundMessageRow): Promise<void> {
  const hasRoom = await context.diskSpace.hasRoom();
  if (!hasRoom && ageOf(context, message) < MAX_WAIT_FOR_ROOM_MS)
    return requeue(context, message, ROOM_POLL_SECONDS);
  const begun = await beginMessage(context.db, message.ownerId, message.id);
  try {
    if (begun) await addSmsPhotos(context, begun, hasRoom);
  } catch (error) {
    if (!(error instanceof DecodeTimeoutError)) throw error;
    await requeue(context, message, DECODE_RETRY_SECONDS);
  }
}

async function requeue(
  { db, jobs }: AppContext,
  { ownerId, id }: InboundMessageRow,
  delaySeconds: number,
): Promise<void> {
  const payload = { ownerId, messageId: id };
  await db.transaction((tx) => jobs.enqueue(tx, ingestSmsJob, payload, { delaySeconds }));
}

/** In milliseconds. */
function ageOf({ clock }: AppContext, { createdAt }: InboundMessageRow): number {
  return clock.now().getTime() - createdAt.getTime();
}
