import { ingestMmsJobDefinition } from '../job-catalogue.ts';
import { RETRY_DELAY_SECONDS } from '../../platform/jobs/job-queue.ts';

const { retries, expireInSeconds } = ingestMmsJobDefinition;

/** Then the sender hears of it, about an hour after the text. Fewer than the queue has: telling may fail, too. */
export const MOST_TRIES = retries - 4;

/** What one may take; well below the time after which the queue gives the job to another. */
export const TRY_MS = (expireInSeconds / 2) * 1000;

/** So long the tries take at most: their pauses, each twice the one before, and each until it is taken for dead. */
const TRIED_FOR_SECONDS = RETRY_DELAY_SECONDS * (2 ** MOST_TRIES - 2) + MOST_TRIES * expireInSeconds;

/** How long 'UNDO' or a pet's name waits for photos before it: longer than they are tried, on a busy queue as well. */
export const WAITS_FOR_PHOTOS_MS = 2 * TRIED_FOR_SECONDS * 1000;
