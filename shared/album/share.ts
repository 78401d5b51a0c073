import * as z from 'zod/mini';
import { PageQuery } from '../api/pagination.ts';

/** A public link to a photo or caricature. Anyone with the link can see it, until the owner stops sharing. */
export const Share = z.object({
  id: z.uuid(),
  /** Either memoryId or caricatureId is set. */
  memoryId: z.nullable(z.uuid()),
  caricatureId: z.nullable(z.uuid()),
  url: z.string(),
  /** `/objects/<id>`; add `?w=` with one of IMAGE_WIDTHS. */
  imageUrl: z.string(),
  caption: z.nullable(z.string()),
  /** The contact whose email contains the link; null for a link created by the owner. */
  contactName: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type Share = z.infer<typeof Share>;

export const ShareList = z.array(Share);

/** `anyone`: created by the owner. `contact`: sent in an email. */
export const ShareAudience = z.enum(['anyone', 'contact'], { error: 'Please choose anyone or contact' });
export type ShareAudience = z.infer<typeof ShareAudience>;

/** GET /api/shares. Filtered, since emails contain thousands of links and owners create few. */
export const ShareQuery = z.extend(PageQuery, { for: z.optional(ShareAudience) });

/** The response of POST /api/memories/:id/share and POST /api/caricatures/:id/share */
export const SharedLink = z.object({ url: z.string() });

/** The response of GET /api/memories/:id/share: null while not shared. */
export const MemoryShare = z.object({ url: z.nullable(z.string()) });
export type MemoryShare = z.infer<typeof MemoryShare>;
