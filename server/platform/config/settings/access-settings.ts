import * as z from 'zod';
import { emailAddress } from '#shared/text/email-address';

const variables = {
  REGISTRATION: z.enum(['open', 'invite', 'closed']).default('open'),
  ADMIN_EMAIL: z.optional(emailAddress('must be an email address like you@home.example')),
};

function toSettings(env: z.infer<z.ZodObject<typeof variables>>) {
  return {
    /** Who may create an account without an invitation. */
    registration: env.REGISTRATION,
    /** Its account is an administrator once the address is verified. */
    adminEmail: env.ADMIN_EMAIL ?? null,
  };
}

export const accessSettings = { variables, toSettings };
