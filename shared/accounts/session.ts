import * as z from 'zod/mini';
import { currentPassword } from './user.ts';

/** The error code (403) of changes that ask for the password again: POST /api/session/proof, then repeat them. */
export const IDENTITY_UNCONFIRMED = 'identity-unconfirmed';

/** The error code (429) of POST /api/login while many people guess: the link by email (POST /api/password/forgot) still works. */
export const SIGN_IN_SLOWED = 'sign-in-slowed';

/** POST /api/session/proof */
export const ConfirmIdentityRequest = z.object({ password: currentPassword });
export type ConfirmIdentityRequest = z.infer<typeof ConfirmIdentityRequest>;

/** GET /api/sessions */
export const UserSession = z.object({
  id: z.uuid(),
  /** `Firefox on Windows` */
  device: z.string(),
  /** The network of its last use, `203.0.113.0/24`. */
  network: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** To ten minutes. */
  lastSeenAt: z.iso.datetime(),
  /** The one that asks. */
  isCurrent: z.boolean(),
});
export type UserSession = z.infer<typeof UserSession>;
