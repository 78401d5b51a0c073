import type { CaricatureArtistName, CaricatureFailureReason, CaricatureStyle } from '#shared/caricature';

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
  ) {
    super(message);
  }
}

/** There is none this time: too many at once, a fault of the service's, a broken connection, an answer that is no picture. */
export class ArtistUnavailableError extends Error {
  override readonly name = 'ArtistUnavailableError';
  constructor(
    message: string,
    /** What the service asks us to wait, when it says so. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
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
