import { CARICATURE_FAILURE_MESSAGES, isServiceFailure, type Caricature } from '#shared/album/caricature';
import { ApiError, serverMessage } from '../../lib/api/api-client.ts';

/** A toast's title. */
export const GENERATION_FAILED = 'Generation Failed';
const HIGH_LOAD = 'The AI service is experiencing high load. Please try again in a few minutes.';
const NOT_STARTED = 'Could not start caricature generation. Please try again.';

type Failed = Pick<Caricature, 'failureReason' | 'artist'>;

export function toCardMessage({ failureReason }: Failed): string {
  return failureReason ? CARICATURE_FAILURE_MESSAGES[failureReason] : 'Try creating a new caricature';
}

/** High load if the AI service was at fault, otherwise the reason. */
export function toToastMessage(failed: Failed): string {
  const { failureReason, artist } = failed;
  const isServiceAtFault = failureReason === null || isServiceFailure(failureReason);
  return isServiceAtFault && artist !== 'local' ? HIGH_LOAD : toCardMessage(failed);
}

export function canRetry({ failureReason, originalImageUrl }: Failed & Caricature): boolean {
  return originalImageUrl !== null && failureReason !== 'moderation' && failureReason !== 'bad-input';
}

/** The server's message for 4xx, e.g. about the daily limit. */
export function toStartErrorMessage(error: unknown): string {
  const isRejection = error instanceof ApiError && error.status < 500;
  return (isRejection && serverMessage(error)) || NOT_STARTED;
}
