import { administratorInviteUrl } from '../features/invites/accept-invite.ts';
import type { AppContext } from '../platform/context.ts';

const REGISTRATION = {
  open: 'Anyone who can open this address may create an account (REGISTRATION=open).',
  invite: 'New accounts need an invitation (REGISTRATION=invite).',
  closed: 'Registration is closed; only invitations work (REGISTRATION=closed).',
};

/** Lines for the start: who may register, and how the administrator does. */
export async function describeAccess(context: AppContext): Promise<string[]> {
  const { http, access } = context.config;
  const url = await administratorInviteUrl(context);
  return [
    ...(http.isOnlyLocal ? [] : [REGISTRATION[access.registration]]),
    ...(url ? [`Create the administrator's account (${access.adminEmail}): ${url}`] : []),
  ];
}
