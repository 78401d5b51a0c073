import type { AppContext } from '../../platform/context.ts';
import { findUserByEmail, updateUser } from './user-queries.ts';

export function isAdminEmail({ access }: Pick<AppContext['config'], 'access'>, email: string): boolean {
  return access.adminEmail !== null && access.adminEmail.toLowerCase() === email.toLowerCase();
}

/** ADMIN_EMAIL may be set after its address was verified. Registering it is not enough: anyone could. */
export async function promoteAdminEmail({ config, db }: Pick<AppContext, 'config' | 'db'>): Promise<void> {
  const { adminEmail } = config.access;
  const user = adminEmail && (await findUserByEmail(db, adminEmail));
  if (user && user.emailVerifiedAt && !user.isAdmin) await updateUser(db, user.id, { isAdmin: true });
}
