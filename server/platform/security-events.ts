/** All events of the security log. */
export type SecurityEvent =
  | 'registration'
  | 'sign-in'
  | 'sign-out'
  | 'sign-out-everywhere'
  | 'password-change'
  | 'password-reset-request'
  | 'password-reset'
  | 'email-verification'
  | 'account-disowned'
  | 'phone-code'
  | 'phone-change'
  | 'phone-removal'
  | 'allowed-senders-change'
  | 'inbound-address-change'
  | 'rate-limit'
  | 'access-denied'
  | 'refused-origin'
  | 'refused-host'
  | 'forged-signature'
  | 'unknown-link'
  // What administrators do; `details` has the changes of an account.
  | 'account-edited'
  | 'account-deleted'
  | 'reset-link-created'
  | 'invite-created'
  | 'invite-revoked'
  | 'invite-used';

/** Values that may be logged: no credentials, addresses or texts. */
export type SecurityDetails = Record<string, string | number | boolean | null | undefined>;
