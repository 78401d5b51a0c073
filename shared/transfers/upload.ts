import * as z from 'zod/mini';

/** The `code` of a 503: decoding the photo took too long. Clients do not retry by themselves. */
export const DECODE_TIMEOUT = 'decode-timeout';

export const MAX_UPLOAD_BYTES = 10_485_760;
export const MAX_UPLOAD_FILES = 1;
/** Of a photo in a batch. */
export const MAX_BATCH_PHOTO_BYTES = 52_428_800;

const Sha256 = z
  .string({ error: 'The SHA-256 must be 64 hexadecimal digits' })
  .check(z.regex(/^[0-9a-f]{64}$/, { error: 'The SHA-256 must be 64 hexadecimal digits' }));

/** POST /api/objects/upload. The size and the content type are signed into the URL, if present. */
export const CreateUploadRequest = z.object({
  contentType: z.optional(
    z.string({ error: 'The content type must be text' }).check(
      z.regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i, {
        error: 'Please send a content type like image/jpeg',
      }),
      z.maxLength(127, { error: 'Please send a content type like image/jpeg' }),
    ),
  ),
  /** Bytes, reserved in the album until the upload is completed; else those of the largest photo. Too large is 413, not 422. */
  size: z.optional(
    z
      .int({ error: 'The size must be a whole number of bytes' })
      .check(z.positive({ error: 'The size must be a whole number of bytes' })),
  ),
  /** Compared when the upload is completed. */
  sha256: z.optional(Sha256),
  /** The URL of an upload of the same photo that was interrupted. It is discarded unless it became a memory. */
  replaces: z.optional(z.string({ error: 'replaces must be an upload URL' })),
  /** The open batch that the photo belongs to. */
  batchId: z.optional(z.uuid({ error: 'The batch must be given by its id' })),
});
export type CreateUploadRequest = z.infer<typeof CreateUploadRequest>;

/** A signed URL for one PUT at a time. */
export const Upload = z.object({ uploadURL: z.string() });
export type Upload = z.infer<typeof Upload>;

const MAX_KNOWN_HASHES = 1000;

/** POST /api/uploads/known: asks before anything is sent which photos the album has, by the SHA-256 of their bytes. */
export const KnownPhotosRequest = z.object({
  hashes: z
    .array(Sha256, { error: 'hashes must be a list' })
    .check(
      z.minLength(1, { error: 'Please send at least one hash' }),
      z.maxLength(MAX_KNOWN_HASHES, { error: `Please send at most ${MAX_KNOWN_HASHES} hashes at a time` }),
    ),
});

/** Only those that the album or its trash has. */
export const KnownPhotos = z.object({
  known: z.array(z.object({ sha256: z.string(), memoryId: z.uuid(), isDeleted: z.boolean() })),
});
export type KnownPhotos = z.infer<typeof KnownPhotos>;

/** GET /api/user/storage */
export const StorageUsage = z.object({
  /** Photos and texts, those in the trash and those on their way included. */
  usedBytes: z.int(),
  limitBytes: z.int(),
  /** What the server's disk still accepts; null when photos are stored elsewhere. */
  freeDiskBytes: z.nullable(z.int()),
});
export type StorageUsage = z.infer<typeof StorageUsage>;
