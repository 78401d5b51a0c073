export type RefusalReason = 'not-a-photo' | 'damaged' | 'too-many-pixels';

/** Bytes that do not become a picture. */
export class ImageRefusal extends Error {
  override readonly name = 'ImageRefusal';
  constructor(
    readonly reason: RefusalReason,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
