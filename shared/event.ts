import * as z from 'zod/mini';

/**
 * The user's entities that were created, changed or deleted: the `change` event of GET /api/events. Other events are
 * `refresh` (changes may have been missed: refetch everything), `beat` (heartbeat) and `end` (the session has ended).
 */
export const EntityEvent = z.object({
  kind: z.enum(['memory', 'pet', 'caricature', 'held-message']),
  /** Null: too many to list. */
  ids: z.nullable(z.array(z.uuid())),
});
export type EntityEvent = z.infer<typeof EntityEvent>;
