import * as z from 'zod/mini';

export const PAGE_SIZE = 100;

const limitError = { error: 'limit must be a whole number from 1 to 1000' };

/** The query of every list. Without a limit a list returns everything. */
export const PageQuery = z.object({
  limit: z.optional(
    z.pipe(
      z.string(limitError).check(z.regex(/^\d{1,4}$/, limitError)),
      z.pipe(z.transform(Number), z.int().check(z.gte(1, limitError), z.lte(1000, limitError))),
    ),
  ),
  /** Opaque; from the `Link` header of the previous page. */
  cursor: z.optional(z.string({ error: 'cursor must come from the previous page' })),
});
export type PageQuery = z.infer<typeof PageQuery>;
