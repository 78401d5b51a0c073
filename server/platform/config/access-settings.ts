import * as z from 'zod';

export const accessVariables = {
  REGISTRATION: z.enum(['open', 'invite', 'closed']).default('open'),
  ADMIN_EMAIL: z.email('must be an email address like you@home.example').optional(),
};

export function toAccessSettings(env: z.infer<z.ZodObject<typeof accessVariables>>) {
  return {
    /** Who may create an account without an invitation. */
    registration: env.REGISTRATION,
    /** Its account is an administrator once the address is verified. */
    adminEmail: env.ADMIN_EMAIL ?? null,
  };
}
