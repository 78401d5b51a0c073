import type { AppContext } from '../../platform/context.ts';
import { ingestMmsJobDefinition, type IngestMmsPayload } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { addTextedPhotos } from './add-sms-photos.ts';
import { answerMms } from './answer-sms.ts';
import { beginMessage, hasPhotosOnTheirWay, type InboundMessageRow } from './inbound-sms-queries.ts';
import { moveLastPhotos, undoLastPhotos } from './last-photos.ts';
import { NO_PHOTO } from './sms-replies.ts';
import { WAITS_FOR_PHOTOS_MS } from './photo-attempts.ts';

const LOOKS_AGAIN_AFTER_SECONDS = 3;

type Context = Pick<
  AppContext,
  'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder' | 'mediaSource' | 'logger' | 'rateLimits'
>;

/** Does what a text says, and answers it. It may run twice: what has come of the text is kept, and stays. */
export function ingestMmsJob(context: Context): JobHandler<IngestMmsPayload> {
  return async ({ ownerId, messageId }) => {
    const message = await beginMessage(context.db, ownerId, messageId);
    if (message) await obey(context, message);
  };
}

async function obey(context: Context, message: InboundMessageRow): Promise<void> {
  if (message.kind === 'photos') return addTextedPhotos(context, message);
  if (message.kind === 'words') return answerMms(context, message, () => NO_PHOTO);
  if (await mustWait(context, message)) return lookAgain(context, message);
  return answerMms(context, message, (tx, pets) =>
    message.kind === 'undo' ? undoLastPhotos(context, tx, message) : moveLastPhotos(tx, message, pets),
  );
}

/** What it takes back or moves has not arrived yet. */
function mustWait({ db, clock }: Context, message: InboundMessageRow): Promise<boolean> {
  return hasPhotosOnTheirWay(db, message, new Date(clock.now().getTime() - WAITS_FOR_PHOTOS_MS));
}

async function lookAgain({ db, jobs }: Context, { ownerId, id }: InboundMessageRow): Promise<void> {
  await db.transaction((tx) =>
    jobs.enqueue(
      tx,
      ingestMmsJobDefinition,
      { ownerId, messageId: id },
      { delaySeconds: LOOKS_AGAIN_AFTER_SECONDS },
    ),
  );
}
