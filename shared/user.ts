import * as z from 'zod/mini';
import { emailAddress } from './email-address.ts';

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
  /** The user's own address for emailing photos; null while inbound email is off. */
  inboundEmail: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** Hashing longer ones with argon2 would allow denial of service. */
const MAX_PASSWORD_LENGTH = 1024;

const email = emailAddress('Please enter a valid email address');

const password = z
  .string({ error: 'Password must be at least 6 characters' })
  .check(
    z.minLength(6, { error: 'Password must be at least 6 characters' }),
    z.maxLength(MAX_PASSWORD_LENGTH, { error: `Password must be at most ${MAX_PASSWORD_LENGTH} characters` }),
  );

const personName = z.optional(
  z
    .string({ error: 'Please enter a name as text' })
    .check(z.trim(), z.maxLength(100, { error: 'Please keep names under 100 characters' })),
);

const token = z
  .string({ error: 'This link is not complete' })
  .check(z.maxLength(200, { error: 'This link is not complete' }));

export const LoginRequest = z.object({ email, password });
export type LoginRequest = z.infer<typeof LoginRequest>;

const username = z
  .string({ error: 'Username must be at least 3 characters' })
  .check(
    z.trim(),
    z.minLength(3, { error: 'Username must be at least 3 characters' }),
    z.maxLength(50, { error: 'Username must be at most 50 characters' }),
  );

export const RegisterRequest = z.object({
  email,
  username,
  password,
  firstName: personName,
  lastName: personName,
  inviteToken: z.optional(token),
});
export type RegisterRequest = z.infer<typeof RegisterRequest>;

/** PATCH /api/user: absent fields are unchanged, an empty name is cleared. */
export const UpdateUserRequest = z.object({
  username: z.optional(username),
  firstName: personName,
  lastName: personName,
});
export type UpdateUserRequest = z.infer<typeof UpdateUserRequest>;

export const ChangePasswordRequest = z.object({
  currentPassword: z
    .string({ error: 'Please enter your current password' })
    .check(
      z.minLength(1, { error: 'Please enter your current password' }),
      z.maxLength(MAX_PASSWORD_LENGTH, { error: 'This is not your current password' }),
    ),
  password,
});
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

export const VerifyEmailRequest = z.object({ token });

export const ForgotPasswordRequest = z.object({ email });
export type ForgotPasswordRequest = z.infer<typeof ForgotPasswordRequest>;

/** POST /api/password/reset */
export const ResetPasswordRequest = z.object({ token, password });
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>;
