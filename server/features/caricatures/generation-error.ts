import type { CaricatureFailureReason } from '#shared/caricature';
import { TooLargeError, UnsupportedImageError } from '../../platform/errors.ts';
import {
  ArtistUnavailableError,
  CaricatureRefusedError,
} from '../../platform/caricature-generator/caricature-generator.ts';

/** What keeps a caricature from being drawn at all, before an artist is asked or because none answered in time. */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
  constructor(
    readonly reason: CaricatureFailureReason,
    options?: ErrorOptions,
  ) {
    super(`There is no caricature: ${reason}`, options);
  }
}

/** Why there is no caricature, and whether one more try may help. */
export type DrawingFailure = {
  reason: CaricatureFailureReason;
  isFinal: boolean;
  /** What the artist asks us to wait; null when it does not say. */
  retryAfterSeconds: number | null;
};

const final = (reason: CaricatureFailureReason): DrawingFailure => ({
  reason,
  isFinal: true,
  retryAfterSeconds: null,
});

/** Whether the artist has certainly not charged for the call that ended so. */
export function isFreeOfCharge(error: unknown): boolean {
  const isTold = error instanceof CaricatureRefusedError || error instanceof ArtistUnavailableError;
  return isTold && error.isFree;
}

/** Null for an error that is none of the artist's: a database or a storage that is down. */
export function explainDrawingError(error: unknown): DrawingFailure | null {
  if (error instanceof DrawingError || error instanceof CaricatureRefusedError) return final(error.reason);
  if (error instanceof TooLargeError) return final('album-full');
  if (error instanceof ArtistUnavailableError) {
    return { reason: 'unavailable', isFinal: false, retryAfterSeconds: error.retryAfterSeconds };
  }
  // What the artist gave is no picture.
  if (error instanceof UnsupportedImageError) {
    return { reason: 'unavailable', isFinal: false, retryAfterSeconds: null };
  }
  return null;
}
