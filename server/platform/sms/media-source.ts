/** What a text's sender attached, as it was fetched. The type is the sender's word: the bytes decide. */
export type Media = {
  bytes: Buffer;
  /** Like `image/jpeg`, in small letters and without parameters; empty when nothing was said. */
  contentType: string;
};

/** It will never come: to try again would end the same. */
export class MediaRefusedError extends Error {
  override readonly name = 'MediaRefusedError';
  constructor(
    /** `forbiddenAddress`: it lies, or leads, where nothing of ours may be asked for. */
    readonly reason: 'gone' | 'tooLarge' | 'forbiddenAddress',
    message: string,
  ) {
    super(message);
  }
}

/** Fetches what was attached to a text. */
export type MediaSource = {
  /** Tries once. @throws MediaRefusedError when it is for good; any other error may be over next time */
  download(url: string, signal: AbortSignal): Promise<Media>;
};
