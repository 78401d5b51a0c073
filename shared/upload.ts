import * as z from 'zod/mini';

/** The largest photo that can be added: 10 MB. */
export const MAX_UPLOAD_BYTES = 10_485_760;

/** How long an upload address is good for. */
export const UPLOAD_URL_LIFETIME_SECONDS = 15 * 60;

/** The widths in which every picture is offered, in pixels. */
export const IMAGE_WIDTHS = [200, 400, 800, 1600] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

/** POST /api/objects/upload. Both fields are signed into the address when given; our own client always gives them. */
export const CreateUploadRequest = z.object({
  contentType: z.optional(
    z.string({ error: 'The content type must be text' }).check(
      z.regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i, {
        error: 'Please send a content type like image/jpeg',
      }),
      z.maxLength(127, { error: 'Please send a content type like image/jpeg' }),
    ),
  ),
  /** Bytes. Too large is refused by the service, with 413. */
  size: z.optional(
    z
      .int({ error: 'The size must be a whole number of bytes' })
      .check(z.positive({ error: 'The size must be a whole number of bytes' })),
  ),
});
export type CreateUploadRequest = z.infer<typeof CreateUploadRequest>;

/** The permission to put one object, once, with PUT. */
export const Upload = z.object({ uploadURL: z.string() });
export type Upload = z.infer<typeof Upload>;
