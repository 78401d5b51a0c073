import * as z from 'zod';
import { emailAddress } from '#shared/email-address';

export const accessVariables = {
  REGISTRATION: z.enum(['open', 'invite', 'closed']).default('open'),
  ADMIN_EMAIL: z.optional(emailAddress('must be an email address like you@home.example')),
};

export function toAccessSettings(env: z.infer<z.ZodObject<typeof accessVariables>>) {
  return {
    /** Who may create an account without an invitation. */
    registration: env.REGISTRATION,
    /** Its account is an administrator once the address is verified. */
    adminEmail: env.ADMIN_EMAIL ?? null,
  };
}
