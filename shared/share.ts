import * as z from 'zod/mini';

/** A page of one picture that whoever knows its address may see, without an account, until it is taken back. */
export const Share = z.object({
  id: z.uuid(),
  memoryId: z.uuid(),
  /** Absolute. */
  url: z.string(),
  /** `/objects/<id>` of the picture; add `?w=` with one of IMAGE_WIDTHS. */
  imageUrl: z.string(),
  caption: z.nullable(z.string()),
  /** For whom an e-mail brought it; null for a link that its owner made. */
  contactName: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type Share = z.infer<typeof Share>;

export const ShareList = z.array(Share);

/** The answer of POST /api/memories/:id/share */
export const SharedLink = z.object({ url: z.string() });
