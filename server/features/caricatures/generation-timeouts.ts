import { DRAWING_TIMEOUT_MS } from '../../platform/caricature-generator/caricature-generator.ts';

/*
 * How the time limits of a caricature relate, each within the next:
 *
 *  180 s  one call to the artist (DRAWING_TIMEOUT_MS in ports/caricature-artist), in the adapter as in the job
 *  300 s  the job of one attempt, which also reads the photo and stores the drawing (its expiry in jobs/job-catalogue)
 *  420 s  the last call may begin, so that it ends in time
 *  600 s  the caricature is given up
 */

/** How long a caricature may take in all, with every attempt and every pause. */
export const GIVEN_UP_AFTER_MS = 10 * 60 * 1000;

/** How long after the start a call to the artist may begin. */
export const LAST_CALL_AFTER_MS = GIVEN_UP_AFTER_MS - DRAWING_TIMEOUT_MS;

/** The artist may be paid for each attempt. */
export const MAX_ATTEMPTS = 4;
