import * as z from 'zod/mini';

/** A part of an export has at most 4 GB; one that was packed again by hand may have a little more. */
export const MAX_IMPORT_BYTES = 4_400_000_000;
/** Each is one request, so that proxies let it through and a lost connection costs little. */
export const IMPORT_CHUNK_BYTES = 8 * 1024 ** 2;

/** POST /api/imports. The same file is continued, another one replaces it. */
export const StartImportRequest = z.object({
  fileName: z
    .string({ error: 'Please send the name of the file' })
    .check(z.minLength(1, { error: 'Please send the name of the file' }), z.maxLength(255)),
  /** Too large is 413, not 422. */
  size: z
    .int({ error: 'Please send the size of the file in bytes' })
    .check(z.positive({ error: 'The file is empty' })),
});

/** A zip of an export that is added to the album. */
export const Import = z.object({
  id: z.uuid(),
  fileName: z.string(),
  byteSize: z.int(),
  /** Where the next chunk begins. */
  receivedBytes: z.int(),
  status: z.enum(['receiving', 'working', 'completed', 'failed']),
  /** Null unless failed. */
  message: z.nullable(z.string()),
  /** Pictures in this zip; zero while they are counted and checked. */
  total: z.int(),
  done: z.int(),
  /** Of those that are done, how many were not in the album. */
  added: z.int(),
  unreadable: z.int(),
  /** Pictures of the same export that are in its other parts. */
  missing: z.int(),
});
export type Import = z.infer<typeof Import>;

/** GET /api/imports: an account has at most one. */
export const ImportList = z.array(Import);
