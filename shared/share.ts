import * as z from 'zod/mini';
import { PageQuery } from './pagination.ts';

/** A page of one picture that whoever knows its address may see, without an account, until it is taken back. */
export const Share = z.object({
  id: z.uuid(),
  /** What it shows: one of the two, the other is null. */
  memoryId: z.nullable(z.uuid()),
  caricatureId: z.nullable(z.uuid()),
  /** Absolute. */
  url: z.string(),
  /** `/objects/<id>` of the picture; add `?w=` with one of IMAGE_WIDTHS. */
  imageUrl: z.string(),
  caption: z.nullable(z.string()),
  /** For whom an email brought it; null for a link that its owner made. */
  contactName: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type Share = z.infer<typeof Share>;

export const ShareList = z.array(Share);

/** For whom a link is: for anyone, or for the contact to whom an email brought it. */
export const ShareAudience = z.enum(['anyone', 'contact'], { error: 'Please choose anyone or contact' });
export type ShareAudience = z.infer<typeof ShareAudience>;

/** GET /api/shares: mails bring thousands of links, among which the few that their owner made would be lost. */
export const ShareQuery = z.extend(PageQuery, { for: z.optional(ShareAudience) });

/** The answer of POST /api/memories/:id/share and POST /api/caricatures/:id/share */
export const SharedLink = z.object({ url: z.string() });

/** The answer of GET /api/memories/:id/share: null while it is not shared. */
export const MemoryShare = z.object({ url: z.nullable(z.string()) });
export type MemoryShare = z.infer<typeof MemoryShare>;
