import * as z from 'zod/mini';
import { emailAddress } from '../text/email-address.ts';

/** GET /api/invitations/:token: for the person who opens the link. */
export const InvitationPreview = z.object({
  /** The only address that the invitation can register; null for any. */
  email: z.nullable(z.string()),
  expiresAt: z.iso.datetime(),
  /** The link that the start prints while there is no administrator. An existing account can use it, too. */
  isForAdministrator: z.boolean(),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

/** POST /api/user/administrator: the signed-in account becomes the first administrator. */
export const BecomeAdministratorRequest = z.object({
  invitationToken: z
    .string({ error: 'This link is not complete' })
    .check(z.maxLength(200, { error: 'This link is not complete' })),
});
export type BecomeAdministratorRequest = z.infer<typeof BecomeAdministratorRequest>;

/** GET /api/admin/invitations: an open invitation. */
export const Invitation = z.object({
  id: z.uuid(),
  email: z.nullable(z.string()),
  url: z.string(),
  /** The administrator's first name, or their username. */
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof Invitation>;

export const InvitationList = z.array(Invitation);

/** POST /api/admin/invitations. Forms send an empty string for no address. */
export const CreateInvitationRequest = z.object({
  email: z.optional(z.union([z.literal(''), emailAddress()])),
});
export type CreateInvitationRequest = z.infer<typeof CreateInvitationRequest>;

/** The response to POST /api/admin/invitations. */
export const CreatedInvitation = z.object({
  id: z.uuid(),
  email: z.nullable(z.string()),
  url: z.string(),
  expiresAt: z.iso.datetime(),
  /** False without an address, and while emails only reach the dev outbox. */
  isEmailed: z.boolean(),
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;
