import type { Registration } from '#shared/app-config';
import type { RegisterRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ForbiddenError, InvalidError, NotFoundError } from '../../platform/errors.ts';
import { isSameSecret } from '../../platform/same-secret.ts';
import { findUserByEmail, hasAdmins, hasUsers } from '../users/user-queries.ts';
import { consumeInvite, findOpenInvite } from './invite-queries.ts';
import { toInviteToken, toInviteUrl } from './invite-token.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'keyedHash'>;

/** Invites in the database are `stored`. The link that the start prints for ADMIN_EMAIL needs no row. */
export type Invitation = {
  kind: 'stored' | 'administrator';
  token: string;
  email: string | null;
  expiresAt: Date;
};

export const INVITE_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

const REFUSALS = {
  invite: 'Registration is by invitation here. Ask the person who runs it for one.',
  closed: 'Registration is closed here.',
};

/** Null for a token that is unknown, used, revoked or expired. */
export async function findInvitation(context: Context, token: string): Promise<Invitation | null> {
  const { db, clock } = context;
  const now = clock.now();
  const administrator = await findAdministratorInvitation(context);
  if (administrator && isSameSecret(token, administrator.token)) return administrator;
  const invite = await findOpenInvite(db, token, now);
  return invite && { kind: 'stored', token, email: invite.email, expiresAt: invite.expiresAt };
}

/** @throws NotFoundError for a token that is unknown, used, revoked or expired */
export async function getInvitation(context: Context, token: string): Promise<Invitation> {
  const invitation = await findInvitation(context, token);
  if (!invitation) throw new NotFoundError('This invitation is no longer valid. Ask for a new one.');
  return invitation;
}

/** The person at this machine creates the first account in every mode. */
export async function findRegistration(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  { isFromThisMachine }: { isFromThisMachine: boolean },
): Promise<Registration> {
  const { registration } = config.access;
  if (registration === 'open' || !config.http.isOnlyLocal || !isFromThisMachine) return registration;
  return (await hasUsers(db)) ? registration : 'open';
}

/** Null for someone who may register without an invitation. @throws ForbiddenError, InvalidError for another address */
export async function checkInvitation(
  context: Context,
  { email, inviteToken }: Pick<RegisterRequest, 'email' | 'inviteToken'>,
  origin: { isFromThisMachine: boolean },
): Promise<Invitation | null> {
  const invitation = inviteToken ? await findInvitation(context, inviteToken) : null;
  if (!invitation) refuseUnlessOpen(await findRegistration(context, origin));
  if (invitation?.email && invitation.email.toLowerCase() !== email.toLowerCase()) {
    const message = `This invitation is for ${invitation.email}.`;
    throw new InvalidError(message, { email: message });
  }
  return invitation;
}

/** Uses the invitation up. @throws ForbiddenError if a concurrent registration used it, or created the first account */
export async function acceptInvitation(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  tx: Tx,
  invitation: Invitation | null,
  { isFirstUser }: { isFirstUser: boolean },
): Promise<{ provesEmail: boolean; isAdmin: boolean }> {
  if (invitation?.kind === 'administrator') return { provesEmail: false, isAdmin: true };
  const consumed = invitation && (await consumeInvite(tx, invitation.token, clock.now()));
  if (!consumed && !isFirstUser) refuseUnlessOpen(config.access.registration);
  return { provesEmail: consumed?.isEmailedToken ?? false, isAdmin: isFirstUser };
}

function refuseUnlessOpen(registration: Registration): void {
  if (registration !== 'open') throw new ForbiddenError(REFUSALS[registration]);
}

/** The link with which the person of ADMIN_EMAIL creates the first administrator, in every registration mode. */
export async function administratorInviteUrl(
  context: Context & Pick<AppContext, 'baseUrl'>,
): Promise<string | null> {
  const invitation = await findAdministratorInvitation(context);
  return invitation && toInviteUrl(context, invitation.token);
}

/** Only while there is no administrator: its token depends on the address alone, so it works as often as it is offered. */
async function findAdministratorInvitation(context: Context): Promise<Invitation | null> {
  const { config, db, clock } = context;
  const email = config.access.adminEmail;
  if (email === null || (await findUserByEmail(db, email)) || (await hasAdmins(db))) return null;
  const token = toInviteToken(context, 'admin-invite', email.toLowerCase());
  const expiresAt = new Date(clock.now().getTime() + INVITE_LIFETIME_MS);
  return { kind: 'administrator', token, email, expiresAt };
}
