import type { AppContext } from '../../platform/context.ts';
import { NotFoundError, UnsupportedImageError } from '../../platform/errors.ts';
import { findImage } from '../images/image-queries.ts';
import { createMissingVariants, readSharedCopy } from '../images/image-variants.ts';
import { drawCaricatureJobDefinition, type DrawCaricaturePayload } from '../job-catalogue.ts';
import { DRAWING_TIMEOUT_MS } from '../../platform/caricature-generator/caricature-generator.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { keepOwnPicture, withOwnPicture, type OwnPicture } from '../uploads/stage-image.ts';
import { lockStorage } from '../uploads/storage-limit.ts';
import { findUser } from '../users/user-queries.ts';
import {
  beginAttempt,
  lockUndrawnCaricature,
  markCaricatureCompleted,
  setDrawnImage,
  type CaricatureRow,
} from './caricature-queries.ts';
import { isConsentNeeded } from './consent.ts';
import { refundCall, spendCall } from './caricature-usage.ts';
import { DrawingError, explainDrawingError, isFreeOfCharge } from './generation-error.ts';
import { LAST_CALL_AFTER_MS, MAX_ATTEMPTS } from './generation-timeouts.ts';
import { failCaricature } from './fail-caricature.ts';

type Context = Pick<
  AppContext,
  'config' | 'db' | 'jobs' | 'clock' | 'logger' | 'storage' | 'imageDecoder' | 'caricatureArtist'
>;

const FIRST_PAUSE_SECONDS = 5;

/**
 * Draws a caricature in two steps, each of which may be the last one of a worker that is killed: what was drawn is
 * stored and becomes the caricature's own; then, once all its widths are there, it is shown. Only the first step asks
 * the artist, and is an attempt, also one that ended in a kill.
 */
export function drawCaricatureJob(context: Context): JobHandler<DrawCaricaturePayload> {
  return async ({ ownerId, caricatureId }) => {
    const caricature = await beginAttempt(context.db, ownerId, caricatureId);
    if (!caricature) return;
    const imageId = caricature.imageId ?? (await drawOrFail(context, caricature));
    if (imageId) await show(context, caricature, imageId);
  };
}

/** Null when there is nothing to show: it is tried again later, was given up or is not wanted any more. */
async function drawOrFail(context: Context, caricature: CaricatureRow): Promise<string | null> {
  try {
    if (caricature.attempts > MAX_ATTEMPTS) throw new DrawingError('unavailable');
    return await draw(context, caricature);
  } catch (error) {
    await tryAgainOrFail(context, caricature, error);
    return null;
  }
}

/** The image that is the caricature's own from now on; null when nobody wants it any more. */
async function draw(context: Context, caricature: CaricatureRow): Promise<string | null> {
  const { ownerId, style } = caricature;
  if (isOverdue(context, caricature)) throw new DrawingError('timed-out');
  const photo = await readPhoto(context, caricature);
  const spent = await spendCall(context, caricature);
  if (!spent) throw new DrawingError('unavailable');
  const drawing = await context.caricatureArtist
    .draw(photo, style, AbortSignal.timeout(DRAWING_TIMEOUT_MS))
    .catch(async (error: unknown) => {
      if (spent.month && isFreeOfCharge(error)) await refundCall(context, caricature, spent.month);
      throw error;
    });
  return withOwnPicture(context, ownerId, drawing, (picture) => keep(context, caricature, picture));
}

/** A copy without any metadata: the original goes nowhere, and nothing does before its owner has agreed to that. */
async function readPhoto(context: Context, { ownerId, originalImageId }: CaricatureRow): Promise<Buffer> {
  const owner = await findUser(context.db, ownerId);
  if (!owner || isConsentNeeded(context, owner)) throw new DrawingError('no-consent');
  const image = originalImageId && (await findImage(context.db, ownerId, originalImageId));
  if (!image) throw new DrawingError('bad-input');
  return readSharedCopy(context, image).catch((error: unknown) => {
    const isUnreadable = error instanceof UnsupportedImageError || error instanceof NotFoundError;
    throw isUnreadable ? new DrawingError('bad-input', { cause: error }) : error;
  });
}

function keep(context: Context, { ownerId, id }: CaricatureRow, picture: OwnPicture): Promise<string | null> {
  return context.db.transaction(async (tx) => {
    // Always the account first.
    await lockStorage(tx, ownerId);
    const undrawn = await lockUndrawnCaricature(tx, ownerId, id);
    if (!undrawn) return null;
    const { id: imageId } = await keepOwnPicture(context, tx, ownerId, picture);
    await setDrawnImage(tx, undrawn, { imageId, artist: context.caricatureArtist.name });
    return imageId;
  });
}

async function show(context: Context, { ownerId, id }: CaricatureRow, imageId: string): Promise<void> {
  const image = await findImage(context.db, ownerId, imageId);
  if (!image) return;
  await createMissingVariants(context, image);
  await markCaricatureCompleted(context.db, ownerId, id);
}

/** A pause is no worker's time: after it the job comes again. */
async function tryAgainOrFail(context: Context, caricature: CaricatureRow, error: unknown): Promise<void> {
  const { ownerId, id, attempts } = caricature;
  const failure = explainDrawingError(error);
  const isLastAttempt = attempts >= MAX_ATTEMPTS;
  if (!failure) {
    if (isLastAttempt) await failCaricature(context, caricature, 'unavailable');
    throw error;
  }
  const isForOperator = failure.reason === 'no-credit' || failure.reason === 'bad-key';
  context.logger[isForOperator ? 'error' : 'info'](
    { err: error, caricatureId: id, attempts },
    'A caricature was not drawn',
  );
  const pauseSeconds = failure.retryAfterSeconds ?? FIRST_PAUSE_SECONDS * 2 ** (attempts - 1);
  if (failure.isFinal || isLastAttempt || isOverdue(context, caricature, pauseSeconds)) {
    return failCaricature(context, caricature, failure.reason);
  }
  await context.db.transaction((tx) =>
    context.jobs.enqueue(
      tx,
      drawCaricatureJobDefinition,
      { ownerId, caricatureId: id },
      { delaySeconds: pauseSeconds },
    ),
  );
}

/** Whether a call that begins so many seconds from now could end after it is given up. */
function isOverdue({ clock }: Context, { startedAt }: CaricatureRow, inSeconds = 0): boolean {
  return clock.now().getTime() + inSeconds * 1000 >= startedAt.getTime() + LAST_CALL_AFTER_MS;
}
