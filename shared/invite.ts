import * as z from 'zod/mini';
import { emailAddress } from './email-address.ts';

/** GET /api/invites/:token: for the person who opens the link. */
export const InvitePreview = z.object({
  /** The only address that the invitation can register; null for any. */
  email: z.nullable(z.string()),
  expiresAt: z.iso.datetime(),
  /** The link that the start prints while there is no administrator. An existing account can use it, too. */
  isForAdministrator: z.boolean(),
});
export type InvitePreview = z.infer<typeof InvitePreview>;

/** POST /api/user/administrator: the signed-in account becomes the first administrator. */
export const BecomeAdministratorRequest = z.object({
  inviteToken: z
    .string({ error: 'This link is not complete' })
    .check(z.maxLength(200, { error: 'This link is not complete' })),
});
export type BecomeAdministratorRequest = z.infer<typeof BecomeAdministratorRequest>;

/** GET /api/admin/invites: an open invitation. */
export const Invite = z.object({
  id: z.uuid(),
  email: z.nullable(z.string()),
  url: z.string(),
  /** The administrator's username. */
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invite = z.infer<typeof Invite>;

export const InviteList = z.array(Invite);

/** POST /api/admin/invites. Forms send an empty string for no address. */
export const CreateInviteRequest = z.object({
  email: z.optional(z.union([z.literal(''), emailAddress()])),
});
export type CreateInviteRequest = z.infer<typeof CreateInviteRequest>;

/** The response to POST /api/admin/invites. */
export const CreatedInvite = z.object({
  id: z.uuid(),
  email: z.nullable(z.string()),
  url: z.string(),
  expiresAt: z.iso.datetime(),
  /** False without an address, and while emails only reach the dev outbox. */
  isEmailed: z.boolean(),
});
export type CreatedInvite = z.infer<typeof CreatedInvite>;
