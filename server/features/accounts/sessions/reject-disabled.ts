import { DISABLED_ACCOUNT } from '#shared/accounts/user';
import { AppError } from '../../../platform/errors.ts';
import type { UserRow } from '../users/user-queries.ts';

/** @throws AppError 403, which the security log has as a rejected sign-in */
export function rejectDisabled({ id: userId, disabledAt }: UserRow): void {
  if (!disabledAt) return;
  const security = { event: 'sign-in', userId, details: { reason: 'disabled' } } as const;
  throw new AppError(403, DISABLED_ACCOUNT, { security });
}
