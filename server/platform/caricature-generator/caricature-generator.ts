import type { CaricatureArtistName, CaricatureFailureReason, CaricatureStyle } from '#shared/caricature';

/**
 * How long one drawing may take. People are told 15 to 30 seconds, and a busy service has taken more than two minutes;
 * what it draws after that is paid for and lost.
 */
export const DRAWING_TIMEOUT_MS = 180_000;

/** It will never become a caricature: trying again costs, and changes nothing. */
export class CaricatureRefusedError extends Error {
  override readonly name = 'CaricatureRefusedError';
  constructor(
    /**
     * `moderation`: the service declines the photo; `no-credit`: nobody has paid; `bad-input`: the picture or the
     * question is not what it takes; `bad-key`: it does not know us.
     */
    readonly reason: Extract<CaricatureFailureReason, 'moderation' | 'no-credit' | 'bad-input' | 'bad-key'>,
    message: string,
    /** Whether the service has certainly not charged for it. */
    readonly isFree: boolean,
  ) {
    super(message);
  }
}

/** There is none this time: too many at once, a fault of the service's, a broken connection, an answer that is no picture. */
export class ArtistUnavailableError extends Error {
  override readonly name = 'ArtistUnavailableError';
  /** What the service asks us to wait, when it says so. */
  readonly retryAfterSeconds: number | null;
  /** Whether the service has certainly not charged for it: it may have drawn what never reached us. */
  readonly isFree: boolean;

  constructor(
    message: string,
    {
      retryAfterSeconds = null,
      isFree = false,
    }: { retryAfterSeconds?: number | null; isFree?: boolean } = {},
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.isFree = isFree;
  }
}

/** Draws caricatures. */
export type CaricatureArtist = {
  readonly name: CaricatureArtistName;
  /** The outside service that photos go to, as people are told; null: they stay here. */
  readonly service: string | null;
  /**
   * Tries once. `photo` is a picture that sharp reads; nothing of its metadata goes anywhere. A PNG without metadata
   * comes back. The signal ends it, as its own time limit does: both count as unavailable.
   * @throws CaricatureRefusedError, ArtistUnavailableError
   */
  draw(photo: Buffer, style: CaricatureStyle, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
};
