import * as z from 'zod/mini';

export const MAX_UPLOAD_BYTES = 10_485_760;
export const MAX_UPLOAD_FILES = 1;

/** POST /api/objects/upload. The size, and the content type if present, are signed into the URL. */
export const CreateUploadRequest = z.object({
  contentType: z.optional(
    z.string({ error: 'The content type must be text' }).check(
      z.regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i, {
        error: 'Please send a content type like image/jpeg',
      }),
      z.maxLength(127, { error: 'Please send a content type like image/jpeg' }),
    ),
  ),
  /** Bytes, reserved in the album until the upload is completed. Too large is 413, not 422. */
  size: z
    .int({
      error: ({ input }) =>
        input === undefined
          ? 'Please send the size of the photo in bytes'
          : 'The size must be a whole number of bytes',
    })
    .check(z.positive({ error: 'The size must be a whole number of bytes' })),
  /** Compared when the upload is completed. */
  sha256: z.optional(
    z
      .string({ error: 'The SHA-256 must be 64 hexadecimal digits' })
      .check(z.regex(/^[0-9a-f]{64}$/, { error: 'The SHA-256 must be 64 hexadecimal digits' })),
  ),
});
export type CreateUploadRequest = z.infer<typeof CreateUploadRequest>;

/** A signed URL for one PUT. */
export const Upload = z.object({ uploadURL: z.string() });
export type Upload = z.infer<typeof Upload>;
