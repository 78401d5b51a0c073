import * as z from 'zod/mini';

/** The body of every error response. `message` can be shown to people. */
export const ApiErrorBody = z.object({
  message: z.string(),
  code: z.optional(z.string()),
  /** Error messages by the name of the request's field. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** Of the account whose password is needed, for password managers. */
  email: z.optional(z.string()),
});
export type ApiErrorBody = z.infer<typeof ApiErrorBody>;

/** The `code` of a 4xx that has no code of its own, by its status. */
export const ERROR_CODES: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'not-authenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  415: 'unsupported-type',
  421: 'wrong-host',
  422: 'invalid',
  424: 'source-failed',
  429: 'too-many-requests',
};

/** The error code (401) of a request that needs a session and has none, or one that has ended. */
export const SESSION_LOST = 'session-lost';

/** The error code (413) of what an album has no room for, unlike a photo that is too large for any. Deleting for good makes room. */
export const ALBUM_FULL = 'album-full';

/** When a proxy before the server or its storage rejects the size (413), in a response that is not ours. */
export const TOO_LARGE_FOR_SERVER =
  'This photo is too large for this server. Choose a smaller one, or ask its administrator to raise the limit.';
