import { CARICATURE_FAILURE_MESSAGES, isServiceFailure, type Caricature } from '#shared/caricature';
import { ApiError, serverMessage } from '../../lib/api-client.ts';

const HIGH_LOAD = 'The AI service is experiencing high load. Please try again in a few minutes.';
const NOT_STARTED = 'Could not start caricature generation. Please try again.';

type Failed = Pick<Caricature, 'failureReason' | 'artist'>;

/** The second line of a card: what happened, and what to do now. */
export function toCardMessage({ failureReason }: Failed): string {
  return failureReason ? CARICATURE_FAILURE_MESSAGES[failureReason] : 'Try creating a new caricature';
}

/** What the notice says: high load when it is for the service's sake, otherwise the reason. */
export function toToastMessage(failed: Failed): string {
  const { failureReason, artist } = failed;
  const isForService = failureReason === null || isServiceFailure(failureReason);
  return isForService && artist !== 'local' ? HIGH_LOAD : toCardMessage(failed);
}

/** Whether a second try with the same photo may succeed. */
export function canRetry({ failureReason, originalImageUrl }: Failed & Caricature): boolean {
  return originalImageUrl !== null && failureReason !== 'moderation' && failureReason !== 'bad-input';
}

/** Why none was begun: in the server's words where it refused, e.g. for the day's limit. */
export function toStartErrorMessage(error: unknown): string {
  const isRejection = error instanceof ApiError && error.status < 500;
  return (isRejection && serverMessage(error)) || NOT_STARTED;
}
