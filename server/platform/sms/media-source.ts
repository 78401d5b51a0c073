/** A downloaded attachment. The sender chose its type, so only the bytes are trusted. */
export type Media = {
  bytes: Buffer;
  /** Lower case without parameters, like `image/jpeg`; empty without a header. */
  contentType: string;
};

/** A permanent error: a retry would end the same. */
export class MediaRejectedError extends Error {
  override readonly name = 'MediaRejectedError';
  constructor(
    /** `forbiddenAddress`: the URL is, or redirects to, one that we must not request. */
    readonly reason: 'gone' | 'tooLarge' | 'forbiddenAddress',
    message: string,
  ) {
    super(message);
  }
}

export type MediaSource = {
  /** Makes one attempt. @throws MediaRejectedError for a permanent error, others for temporary ones */
  download(url: string, signal: AbortSignal): Promise<Media>;
};
