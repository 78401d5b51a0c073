import * as z from 'zod/mini';
import { PageQuery } from '../api/pagination.ts';

/** Why a person cannot become an administrator. */
export const EMAIL_NOT_VERIFIED = 'Their email address is not verified yet.';
export const ADMIN_ASLEEP = 'Their account is asleep. Bring it back first.';
export const LAST_ADMIN = 'Make someone else an administrator first.';

/** GET /api/admin/warnings: what the readiness check warns of. */
export const AdminWarnings = z.object({ warnings: z.array(z.string()) });
export type AdminWarnings = z.infer<typeof AdminWarnings>;

/** Why a person gets no link for a new password. */
export const NO_LINK_FOR_ADMIN = 'Administrators use “Forgot password?”, or npm run admin at the machine.';

/** A person as administrators see them: never photos, captions, pets or contacts. */
export const AdminUser = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  isAdmin: z.boolean(),
  isDisabled: z.boolean(),
  /** It is asleep, and will be deleted then. */
  deletionDueAt: z.nullable(z.iso.datetime()),
  /** The only active administrator: cannot be disabled, deleted or lose the role. */
  isLastAdmin: z.boolean(),
  /** Signing in with the password needs a code of an authenticator app. */
  isTotpOn: z.boolean(),
  /** Also true while this installation cannot send email. */
  emailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  /** To within ten minutes; null if never since this was introduced. */
  lastSeenAt: z.nullable(z.iso.datetime()),
  storageBytes: z.int(),
  storageLimitBytes: z.int(),
  /** False: the installation's limit applies. */
  hasOwnStorageLimit: z.boolean(),
});
export type AdminUser = z.infer<typeof AdminUser>;

export const AdminUserList = z.array(AdminUser);

/** GET /api/admin/users: newest account first. */
export const AdminUserQuery = z.extend(PageQuery, {
  /** In the username or email address. */
  search: z.optional(
    z
      .string({ error: 'Please search for a text' })
      .check(z.trim(), z.maxLength(254, { error: 'Please search for fewer characters' })),
  ),
});
export type AdminUserQuery = z.infer<typeof AdminUserQuery>;

const MAX_STORAGE_BYTES = 2 ** 50;

const isTrueOrFalse = z.optional(z.boolean({ error: 'Please send true or false' }));
const storageError = { error: 'Please enter a storage limit from 0 to 1,000,000 GB' };

/** PATCH /api/admin/users/:id: absent fields are unchanged. */
export const UpdateAdminUserRequest = z.object({
  isAdmin: isTrueOrFalse,
  isDisabled: isTrueOrFalse,
  /** Brings the account back. DELETE puts it to sleep. */
  isAsleep: z.optional(z.literal(false, { error: 'Please send false' })),
  /** Null: the installation's limit. */
  storageLimitBytes: z.optional(
    z.nullable(z.int(storageError).check(z.gte(0, storageError), z.lte(MAX_STORAGE_BYTES, storageError))),
  ),
});
export type UpdateAdminUserRequest = z.infer<typeof UpdateAdminUserRequest>;

/** POST /api/admin/users/:id/password-reset */
export const PasswordResetLink = z.object({
  /** To hand over. Null if it was emailed to its owner, so that administrators cannot use it to see photos. */
  url: z.nullable(z.string()),
});
export type PasswordResetLink = z.infer<typeof PasswordResetLink>;
