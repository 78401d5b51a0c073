import * as z from 'zod/mini';

/** The body of every answer that is not a success. `message` can be shown to a person as it is. */
export const ApiErrorBody = z.object({
  message: z.string(),
  code: z.optional(z.string()),
  /** What is wrong with each field of the request, by its name. */
  fields: z.optional(z.record(z.string(), z.string())),
});
export type ApiErrorBody = z.infer<typeof ApiErrorBody>;
