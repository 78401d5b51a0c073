import type {
  CaricatureGeneratorName,
  CaricatureFailureReason,
  CaricatureStyle,
} from '#shared/album/caricature';

/** A busy service has taken more than two minutes. An image that arrives later is paid for and lost. */
export const GENERATION_TIMEOUT_MS = 180_000;

/** Permanent: a retry with the same photo and settings would cost money and fail again. */
export class CaricatureRejectedError extends Error {
  override readonly name = 'CaricatureRejectedError';
  constructor(
    /**
     * `moderation`: the service declines the photo; `no-credit`: its account has no credit; `bad-input`: it cannot
     * process the photo; `bad-key`: its settings (key, model, prompt) are wrong.
     */
    readonly reason: Extract<CaricatureFailureReason, 'moderation' | 'no-credit' | 'bad-input' | 'bad-key'>,
    message: string,
    /** Whether the service has certainly not charged for the call. */
    readonly isFree: boolean,
  ) {
    super(message);
  }
}

/** Temporary, worth a retry: rate limit, server error, broken connection, invalid image data. */
export class GeneratorUnavailableError extends Error {
  override readonly name = 'GeneratorUnavailableError';
  readonly retryAfterSeconds: number | null;
  /** Whether the service has certainly not charged for the call. */
  readonly isFree: boolean;

  constructor(message: string, options: { retryAfterSeconds?: number | null; isFree?: boolean } = {}) {
    super(message);
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.isFree = options.isFree ?? false;
  }
}

export type CaricatureGenerator = {
  readonly name: CaricatureGeneratorName;
  /** The external service that receives the photos, as shown to users; null when photos stay on this machine. */
  readonly service: string | null;
  /**
   * Makes one attempt. Sends no metadata and returns a PNG without it. An abort and a timeout count as unavailable.
   * @throws CaricatureRejectedError, GeneratorUnavailableError
   */
  generate(photo: Buffer, style: CaricatureStyle, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
};
