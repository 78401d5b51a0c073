import type { Activity } from '#shared/accounts/activity';

const TEXTS: Record<string, string> = {
  registered: 'You created this account',
  'signed-in': 'Signed in',
  'wrong-password': 'Someone entered a wrong password',
  'wrong-code': 'Someone entered a wrong code after the first step of signing in',
  'totp-on': 'Authenticator app turned on',
  'totp-off': 'Authenticator app turned off',
  'recovery-codes-renewed': 'New recovery codes created',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out on every device',
  'session-ended': 'Signed out another device',
  'other-sessions-ended': 'Signed out all other devices',
  'password-changed': 'Password changed',
  'password-not-changed': 'The password was not changed: the current one was wrong',
  'password-reset-requested': 'Someone asked for a link to choose a new password',
  'password-reset': 'A new password was chosen by a link',
  'email-verified': 'Email address confirmed',
  'email-change-requested': 'Someone asked to change the email address',
  'email-change-cancelled': 'The change of the email address was cancelled',
  'email-changed': 'Email address changed',
  'email-change-undone': 'The change of the email address was undone',
  'account-secured': 'Signed out every device, after an email: “This was not me”',
  'identity-joined': 'Connected another service to sign in with',
  'identity-removed': 'Disconnected another service to sign in with',
  'phone-changed': 'Phone number verified',
  'wrong-phone-code': 'A wrong code for a phone number was entered',
  'phone-removed': 'Phone number removed',
  'allowed-senders-changed': 'Changed who may send photos by email',
  'inbound-address-changed': 'The address for photos by email was replaced',
  'deletion-requested': 'Asked to delete this account',
  'deletion-cancelled': 'The account was brought back',
  'export-requested': 'Asked to export everything',
  'export-downloaded': 'Downloaded an export of everything',
  'import-started': 'Started to import an album',
  'account-edited': 'An administrator changed this account',
  'reset-link-created': 'An administrator made a link to choose a new password',
};

/** Kinds that may need attention, if it was not the owner. */
const WARNINGS = new Set(['wrong-password', 'wrong-code', 'password-not-changed', 'wrong-phone-code']);

export function activityText({ kind }: Pick<Activity, 'kind'>): string {
  return TEXTS[kind] ?? 'Something changed in this account';
}

export function isWarning({ kind }: Pick<Activity, 'kind'>): boolean {
  return WARNINGS.has(kind);
}

export type RepeatedActivity = Activity & { count: number };

/** Consecutive ones of a kind and a place become one. */
export function groupActivity(activity: Activity[]): RepeatedActivity[] {
  const groups: RepeatedActivity[] = [];
  for (const each of activity) {
    const last = groups.at(-1);
    const isSame =
      last?.kind === each.kind &&
      last.device === each.device &&
      last.network === each.network &&
      last.isByAdmin === each.isByAdmin;
    if (last && isSame) last.count++;
    else groups.push({ ...each, count: 1 });
  }
  return groups;
}
