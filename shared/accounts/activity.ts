import * as z from 'zod/mini';

/** GET /api/user/activity: the latest first. */
export const Activity = z.object({
  id: z.uuid(),
  /** A text so that a page of an earlier release can show events of a later one. */
  kind: z.string(),
  /** An administrator did it. */
  isByAdmin: z.boolean(),
  device: z.nullable(z.string()),
  network: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type Activity = z.infer<typeof Activity>;
