import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { GENERATION_TIMEOUT_MS } from '../../platform/caricature-generator/caricature-generator.ts';
import {
  DECODE_RETRY_SECONDS,
  DecodeTimeoutError,
  NotFoundError,
  UnsupportedImageError,
} from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { timeoutSignal } from '../../platform/time/timeout-signal.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { findImage } from '../images/image-queries.ts';
import { createMissingVariants, readSharedVariant } from '../images/image-variants.ts';
import { commitStagedImage, stageImage, type StagedImage } from '../images/stage-image.ts';
import { lockStorage } from '../storage/storage-limit.ts';
import { findUser, isActive } from '../accounts/users/user-queries.ts';
import {
  beginAttempt,
  lockCaricatureWithoutImage,
  markCaricatureCompleted,
  setGeneratedImage,
  type CaricatureRow,
} from './caricature-queries.ts';
import { failCaricature, needsConsent } from './caricature-service.ts';
import { refundCall, spendCall } from './caricature-usage.ts';
import { classifyError, GenerationError, isCertainlyFree } from './generation-error.ts';

/** A call may take 180 s. None starts after 420 s, so the last one ends within the caricature's 600 s. */
export const CARICATURE_TIMEOUT_MS = 10 * 60 * 1000;
export const LAST_CALL_START_MS = CARICATURE_TIMEOUT_MS - GENERATION_TIMEOUT_MS;

/** Each attempt may be charged. */
const MAX_ATTEMPTS = 4;
const FIRST_RETRY_DELAY_SECONDS = 5;

/** Stores the generated image before its variants, so that a killed worker causes no second charge. */
export const generateCaricatureJob = defineJob({
  name: 'generate-caricature',
  formerNames: ['draw-caricature'],
  payload: z.object({ ownerId: z.string(), caricatureId: z.string() }),
  retries: 3,
  // After the call's timeout, so that a retry starts only when the first worker has certainly ended.
  expireInSeconds: GENERATION_TIMEOUT_MS / 1000 + 120,
  concurrency: 4,
  async handle(context, { ownerId, caricatureId }) {
    // Waiting for room is no attempt, and nothing is paid for that cannot be stored.
    await context.diskSpace.requireRoom();
    const caricature = await beginAttempt(context.db, ownerId, caricatureId);
    if (!caricature) return;
    const imageId = caricature.imageId ?? (await generateOrFail(context, caricature));
    const image = imageId && (await findImage(context.db, ownerId, imageId));
    if (!image) return;
    await createMissingVariants(context, image).catch(async (error: unknown) => {
      if (!(error instanceof DecodeTimeoutError)) throw error;
      const payload = { ownerId, imageId: image.id, decodeAttempt: 2 };
      const delaySeconds = DECODE_RETRY_SECONDS;
      await context.db.transaction((tx) =>
        context.jobs.enqueue(tx, createVariantsJob, payload, { delaySeconds }),
      );
    });
    await markCaricatureCompleted(context.db, ownerId, caricatureId);
  },
});

async function generateOrFail(context: AppContext, caricature: CaricatureRow): Promise<string | null> {
  try {
    if (caricature.attempts > MAX_ATTEMPTS) throw new GenerationError('unavailable');
    return await generate(context, caricature);
  } catch (error) {
    await retryOrFail(context, caricature, error);
    return null;
  }
}

async function generate(context: AppContext, caricature: CaricatureRow): Promise<string | null> {
  const { ownerId, style } = caricature;
  if (isOverdue(context, caricature)) throw new GenerationError('timed-out');
  const photo = await readPhoto(context, caricature);
  const spent = await spendCall(context, caricature);
  if (!spent) throw new GenerationError('unavailable');
  const bytes = await context.caricatureGenerator
    .generate(photo, style, timeoutSignal(GENERATION_TIMEOUT_MS))
    .catch(async (error: unknown) => {
      if (spent.month && isCertainlyFree(error)) await refundCall(context, caricature, spent.month);
      throw error;
    });
  return stageImage(context, ownerId, bytes, (image) => storeImage(context, caricature, image));
}

/** A copy without metadata. Consent is checked again, since the generator may have changed since the request. */
async function readPhoto(context: AppContext, { ownerId, originalImageId }: CaricatureRow): Promise<Buffer> {
  const owner = await findUser(context.db, ownerId);
  if (!owner || needsConsent(context, owner)) throw new GenerationError('no-consent');
  if (!isActive(owner)) throw new GenerationError('unavailable');
  const image = originalImageId && (await findImage(context.db, ownerId, originalImageId));
  if (!image) throw new GenerationError('bad-input');
  return readSharedVariant(context, image).catch((error: unknown) => {
    const isUnreadable = error instanceof UnsupportedImageError || error instanceof NotFoundError;
    throw isUnreadable ? new GenerationError('bad-input', { cause: error }) : error;
  });
}

function storeImage(
  context: AppContext,
  { ownerId, id }: CaricatureRow,
  staged: StagedImage,
): Promise<string | null> {
  return context.db.transaction(async (tx) => {
    // Lock the account before the caricature.
    await lockStorage(tx, ownerId);
    const caricature = await lockCaricatureWithoutImage(tx, ownerId, id);
    if (!caricature) return null;
    const { id: imageId } = await commitStagedImage(context, tx, ownerId, staged);
    await setGeneratedImage(tx, caricature, { imageId, generator: context.caricatureGenerator.name });
    return imageId;
  });
}

/** Re-enqueues with a delay instead of sleeping, so the worker stays free. */
async function retryOrFail(context: AppContext, caricature: CaricatureRow, error: unknown): Promise<void> {
  const { ownerId, id, attempts } = caricature;
  const classified = classifyError(error);
  const isLastAttempt = attempts >= MAX_ATTEMPTS;
  if (!classified) {
    if (isLastAttempt) await failCaricature(context, caricature, 'unavailable');
    throw error;
  }
  const { reason, isPermanent, retryAfterSeconds } = classified;
  const isForOperator = reason === 'no-credit' || reason === 'bad-key';
  context.logger[isForOperator ? 'error' : 'info'](
    { err: error, caricatureId: id, attempts },
    'An attempt to generate a caricature failed',
  );
  const delaySeconds = retryAfterSeconds ?? FIRST_RETRY_DELAY_SECONDS * 2 ** (attempts - 1);
  if (isPermanent || isLastAttempt || isOverdue(context, caricature, delaySeconds)) {
    return failCaricature(context, caricature, reason);
  }
  await context.db.transaction((tx) =>
    context.jobs.enqueue(tx, generateCaricatureJob, { ownerId, caricatureId: id }, { delaySeconds }),
  );
}

/** Whether a call after this delay could end after the caricature's timeout. */
function isOverdue({ clock }: AppContext, { startedAt }: CaricatureRow, delaySeconds = 0): boolean {
  return clock.now().getTime() + delaySeconds * 1000 >= startedAt.getTime() + LAST_CALL_START_MS;
}
