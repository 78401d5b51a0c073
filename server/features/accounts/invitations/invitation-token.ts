import type { AppContext } from '../../../platform/context.ts';

/** Hashed into the tokens: renamed, no sent link would work. The emailed link differs from the one that administrators see, so that only the recipient can verify the address. */
type InvitationTokenPurpose = 'invite' | 'emailed-invite' | 'admin-invite';

/** A keyed hash, so that the link can be shown again and a retried email has the same one. */
export function toInvitationToken(
  { keyedHash }: Pick<AppContext, 'keyedHash'>,
  purpose: InvitationTokenPurpose,
  id: string,
): string {
  return keyedHash(purpose, id);
}

export function toInvitationUrl({ baseUrl }: Pick<AppContext, 'baseUrl'>, token: string): string {
  return `${baseUrl.origin()}/auth?invite=${token}`;
}
