import * as z from 'zod/mini';

/** A finished export can be downloaded for this long, then it is deleted. */
export const EXPORT_DAYS = 7;

/** All that an account holds, as zip files. */
export const Export = z.object({
  id: z.uuid(),
  status: z.enum(['making', 'completed', 'failed']),
  /** In percent. */
  progress: z.int(),
  createdAt: z.iso.datetime(),
  /** When it will be deleted; null unless completed. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** Empty unless completed. `url` is a download for the owner, who has to confirm who they are. */
  parts: z.array(z.object({ number: z.int(), byteSize: z.int(), url: z.string() })),
});
export type Export = z.infer<typeof Export>;

/** GET /api/exports: an account has at most one. */
export const ExportList = z.array(Export);
