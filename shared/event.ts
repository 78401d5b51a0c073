import * as z from 'zod/mini';

/**
 * Something of the account was made, changed or deleted, wherever that was done: the `change` events of
 * GET /api/events. Beside them: `refresh` (changes may have been missed, ask for everything anew), `beat` (nothing
 * happened), and `end` (the session is over).
 */
export const EntityEvent = z.object({
  kind: z.enum(['memory', 'pet', 'caricature', 'held-message']),
  /** Null when they are too many to be named. */
  ids: z.nullable(z.array(z.uuid())),
});
export type EntityEvent = z.infer<typeof EntityEvent>;
