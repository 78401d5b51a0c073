import type { SecurityRecord } from '../../../platform/logging/security-log.ts';
import type { SecurityEvent } from '../../../platform/security/security-events.ts';

/** Events that an owner sees, by their outcome. The client has a text for each kind. */
const KINDS: Partial<Record<SecurityEvent, { success?: string; failure?: string }>> = {
  registration: { success: 'registered' },
  'sign-in': { success: 'signed-in', failure: 'wrong-password' },
  'identity-proof': { failure: 'wrong-password' },
  'sign-out': { success: 'signed-out' },
  'sign-out-everywhere': { success: 'signed-out-everywhere' },
  'session-ended': { success: 'session-ended' },
  'other-sessions-ended': { success: 'other-sessions-ended' },
  'sign-in-code': { failure: 'wrong-code' },
  'totp-on': { success: 'totp-on' },
  'totp-off': { success: 'totp-off' },
  'recovery-codes-renewed': { success: 'recovery-codes-renewed' },
  'passkey-added': { success: 'passkey-added' },
  'passkey-removed': { success: 'passkey-removed' },
  'password-change': { success: 'password-changed', failure: 'password-not-changed' },
  'password-reset-request': { success: 'password-reset-requested' },
  'password-reset': { success: 'password-reset' },
  'email-verification': { success: 'email-verified' },
  'email-change-request': { success: 'email-change-requested' },
  'email-change-cancelled': { success: 'email-change-cancelled' },
  'email-change': { success: 'email-changed' },
  'email-change-undone': { success: 'email-change-undone' },
  'account-secured': { success: 'account-secured' },
  'identity-joined': { success: 'identity-joined' },
  'identity-removed': { success: 'identity-removed' },
  'phone-change': { success: 'phone-changed', failure: 'wrong-phone-code' },
  'phone-removal': { success: 'phone-removed' },
  'allowed-senders-change': { success: 'allowed-senders-changed' },
  'inbound-address-change': { success: 'inbound-address-changed' },
  'deletion-requested': { success: 'deletion-requested' },
  'deletion-cancelled': { success: 'deletion-cancelled' },
  'export-requested': { success: 'export-requested' },
  'export-downloaded': { success: 'export-downloaded' },
  'import-started': { success: 'import-started' },
  'account-edited': { success: 'account-edited' },
  'reset-link-created': { success: 'reset-link-created' },
};

/**
 * Events of other people's accounts that only administrators cause. All others may come from a browser that is signed in to another
 * account, as a wrong password does.
 */
export const ADMIN_EVENTS: ReadonlySet<SecurityEvent> = new Set([
  'account-edited',
  'reset-link-created',
  'deletion-requested',
  'deletion-cancelled',
]);

/** Null for what is not shown. */
export function toActivityKind({
  event,
  outcome,
  actorId,
}: Pick<SecurityRecord, 'event' | 'outcome' | 'actorId'>): string | null {
  // The first administrator has none.
  if (outcome === 'refused' || (event === 'account-edited' && actorId === null)) return null;
  return KINDS[event]?.[outcome] ?? null;
}
