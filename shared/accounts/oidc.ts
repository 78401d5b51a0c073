import * as z from 'zod/mini';

/** POST /api/oidc/start: where the browser goes next. */
export const OidcStart = z.object({ url: z.string() });
export type OidcStart = z.infer<typeof OidcStart>;

/** Why the browser came back from the provider without a session: `?oidc=` of /auth and /account. */
export const OidcProblem = z.enum([
  'cancelled',
  /** Too late, twice, or in another browser. */
  'expired',
  'rejected',
  'unavailable',
  /** It signs in another account. */
  'taken',
]);
export type OidcProblem = z.infer<typeof OidcProblem>;

/** GET /api/oidc/pending: an identity that this browser came back with, and that no account is connected with. */
export const PendingOidcIdentity = z.object({
  /** The provider's name for it. */
  label: z.nullable(z.string()),
});
export type PendingOidcIdentity = z.infer<typeof PendingOidcIdentity>;

/** GET /api/oidc/identities */
export const ConnectedIdentity = z.object({
  id: z.uuid(),
  label: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type ConnectedIdentity = z.infer<typeof ConnectedIdentity>;

export const ConnectedIdentityList = z.array(ConnectedIdentity);
