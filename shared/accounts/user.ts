import * as z from 'zod/mini';
import { emailAddress } from '../text/email-address.ts';
import { username } from '../text/username.ts';
import { isVisible } from '../text/visible-text.ts';
import { newPassword, signInPassword, typedPassword } from './password.ts';

export const DISABLED_ACCOUNT = 'This account is disabled. Ask the person who runs this album.';

/** How long an account is asleep before it is deleted. */
export const DELETION_DELAY_DAYS = 14;

/** Set by the sign-in that brought an account back, and deleted by the page that says so. */
export const BACK_COOKIE = 'mems.back';

/** The signed-in user, without the password hash. */
export const User = z.object({
  id: z.uuid(),
  email: z.string(),
  username: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  /** E.164, e.g. +15551234567 */
  phoneNumber: z.nullable(z.string()),
  phoneVerified: z.boolean(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  /** Unless the address is verified, the account is deleted then. */
  verifyEmailBy: z.nullable(z.iso.datetime()),
  /** The user's own address for emailing photos; null while inbound email is off. */
  inboundEmail: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** The error code (403) of what needs a confirmed email address. */
export const EMAIL_UNVERIFIED = 'email-unverified';

const email = emailAddress();

const personName = z.optional(
  z.string({ error: 'Please enter a name as text' }).check(
    z.trim(),
    z.refine((name) => name === '' || isVisible(name), { error: 'Please use characters that can be seen' }),
    z.maxLength(100, { error: 'Please keep names under 100 characters' }),
  ),
);

const token = z
  .string({ error: 'This link is not complete' })
  .check(z.maxLength(200, { error: 'This link is not complete' }));

/** DELETE /api/user and /api/admin/users/:id: the account's username, typed as confirmation. */
export const DeleteAccountRequest = z.object({
  username: z.string({ error: 'Please type the username' }),
  /** DELETE /api/user only, where signing in needs one: of the authenticator app, or a recovery code. */
  code: z.optional(z.string({ error: 'Please enter your code' }).check(z.maxLength(100))),
});
export type DeleteAccountRequest = z.infer<typeof DeleteAccountRequest>;

export const LoginRequest = z.object({ email, password: signInPassword });
export type LoginRequest = z.infer<typeof LoginRequest>;

export const RegisterRequest = z.object({
  email,
  username,
  password: newPassword,
  firstName: personName,
  lastName: personName,
  invitationToken: z.optional(token),
  /** Its name in pages of an earlier release, whose invitation would be lost without a word. */
  inviteToken: z.optional(z.never({ error: 'Please reload this page and try again.' })),
});
export type RegisterRequest = z.infer<typeof RegisterRequest>;

/** PATCH /api/user: absent fields are unchanged, an empty name is cleared. */
export const UpdateUserRequest = z.object({
  username: z.optional(username),
  firstName: personName,
  lastName: personName,
});
export type UpdateUserRequest = z.infer<typeof UpdateUserRequest>;

const CURRENT_MISSING = 'Please enter your current password';
export const currentPassword = typedPassword({
  missing: CURRENT_MISSING,
  wrong: 'This is not your current password',
}).check(z.minLength(1, { error: CURRENT_MISSING }));

export const ChangePasswordRequest = z.object({ currentPassword, password: newPassword });
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

/** PATCH /api/user/email: the new address gets a link to confirm it. */
export const ChangeEmailRequest = z.object({ email });
export type ChangeEmailRequest = z.infer<typeof ChangeEmailRequest>;

/** GET /api/user/email/change */
export const PendingEmailChange = z.object({
  pending: z.nullable(z.object({ email: z.string(), expiresAt: z.iso.datetime() })),
});
export type PendingEmailChange = z.infer<typeof PendingEmailChange>;

/** POST /api/user/email/confirm: with the link that was sent to the new address. */
export const ConfirmEmailChangeRequest = z.object({ token });
export type ConfirmEmailChangeRequest = z.infer<typeof ConfirmEmailChangeRequest>;

/** POST /api/user/email/undo */
export const UndoEmailChangeRequest = z.object({ token });
/** The token is for POST /api/password/reset. */
export const UndoEmailChangeResponse = z.object({ resetToken: z.string() });
export type UndoEmailChangeResponse = z.infer<typeof UndoEmailChangeResponse>;

/** POST /api/user/secure: "This was not me", in an email about the account. */
export const SecureAccountRequest = z.object({ token });
/** The token is for POST /api/password/reset. */
export const SecureAccountResponse = z.object({ resetToken: z.string() });
export type SecureAccountResponse = z.infer<typeof SecureAccountResponse>;

/** POST /api/user/verify-email: the password, unless this account is signed in. */
export const VerifyEmailRequest = z.object({
  token,
  password: z.optional(
    typedPassword({
      missing: 'Please enter your password',
      wrong: 'This is not the password of this account',
    }),
  ),
});
export type VerifyEmailRequest = z.infer<typeof VerifyEmailRequest>;

/** The error code (403) of POST /api/user/verify-email without a session of this account. */
export const PASSWORD_NEEDED = 'password-needed';

/** POST /api/user/disown: deletes an unverified account that its address's owner did not create. */
export const DisownRequest = z.object({ token });

/** The error code (409) of POST /api/register when the address got a link to POST /api/register/again. */
export const LINK_SENT = 'link-sent';

/** POST /api/register/again, for an address whose account was never verified. The link verifies it. */
export const StartAgainRequest = z.object({
  token,
  username,
  password: newPassword,
  firstName: personName,
  lastName: personName,
  /** Whether the earlier account's pets and photos stay. */
  keepsPhotos: z.boolean({ error: 'Please choose what happens to the photos' }),
});
export type StartAgainRequest = z.infer<typeof StartAgainRequest>;

/** POST /api/register/again/preview: what the earlier account has, since it may be deleted. */
export const StartAgainPreviewRequest = z.object({ token });
export type StartAgainPreviewRequest = z.infer<typeof StartAgainPreviewRequest>;

/** Photos in the trash count, too. */
export const StartAgainPreview = z.object({ photoCount: z.int(), petCount: z.int() });
export type StartAgainPreview = z.infer<typeof StartAgainPreview>;

export const ForgotPasswordRequest = z.object({ email });
export type ForgotPasswordRequest = z.infer<typeof ForgotPasswordRequest>;

/** POST /api/password/reset */
export const ResetPasswordRequest = z.object({ token, password: newPassword });
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>;

/** POST /api/password/reset/preview: whose password it is, for password managers. */
export const ResetPasswordPreviewRequest = z.object({ token });

export const ResetPasswordPreview = z.object({ email: z.string() });
export type ResetPasswordPreview = z.infer<typeof ResetPasswordPreview>;

export const ResetPasswordResponse = z.object({
  /** The address had never been verified: contacts, phone, allowed senders, shared links, passkeys and authenticator app are gone. */
  isSetupRemoved: z.boolean(),
});
export type ResetPasswordResponse = z.infer<typeof ResetPasswordResponse>;
