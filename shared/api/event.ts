import * as z from 'zod/mini';

/** The `change` event of GET /api/events. Others: `refresh` (refetch everything), `beat` (heartbeat), `end` (of session). */
export const EntityEvent = z.object({
  kind: z.enum(['memory', 'pet', 'caricature', 'held-message']),
  /** Null: too many to list. */
  ids: z.nullable(z.array(z.uuid())),
});
export type EntityEvent = z.infer<typeof EntityEvent>;

/** The data of the `end` event. Without a reason the user has signed out or the session has expired. */
export const StreamEnd = z.object({ reason: z.optional(z.enum(['disabled', 'asleep'])) });
export type StreamEnd = z.infer<typeof StreamEnd>;
