import type { CaricatureFailureReason } from '#shared/album/caricature';
import {
  CaricatureRejectedError,
  GeneratorUnavailableError,
} from '../../platform/caricature-generator/caricature-generator.ts';
import { DecodeTimeoutError, TooLargeError, UnsupportedImageError } from '../../platform/errors.ts';

/** Permanent, and raised by the job itself rather than by the generator. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  constructor(
    readonly reason: CaricatureFailureReason,
    options?: ErrorOptions,
  ) {
    super(`The caricature was not generated: ${reason}`, options);
  }
}

type ClassifiedError = {
  reason: CaricatureFailureReason;
  isPermanent: boolean;
  retryAfterSeconds: number | null;
};

export function isCertainlyFree(error: unknown): boolean {
  const isFromGenerator =
    error instanceof CaricatureRejectedError || error instanceof GeneratorUnavailableError;
  return isFromGenerator && error.isFree;
}

/** Null for errors of our own infrastructure, such as the database or the storage. */
export function classifyError(error: unknown): ClassifiedError | null {
  if (error instanceof GenerationError || error instanceof CaricatureRejectedError) {
    return { reason: error.reason, isPermanent: true, retryAfterSeconds: null };
  }
  if (error instanceof TooLargeError) {
    return { reason: 'album-full', isPermanent: true, retryAfterSeconds: null };
  }
  if (error instanceof GeneratorUnavailableError) {
    return { reason: 'unavailable', isPermanent: false, retryAfterSeconds: error.retryAfterSeconds };
  }
  // A caricature has ended before the decoder may be asked again.
  if (error instanceof DecodeTimeoutError) {
    return { reason: 'unavailable', isPermanent: true, retryAfterSeconds: null };
  }
  // The generator returned an invalid image.
  if (error instanceof UnsupportedImageError) {
    return { reason: 'unavailable', isPermanent: false, retryAfterSeconds: null };
  }
  return null;
}
