import type { Registration } from '#shared/app-config';
import type { RegisterRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ForbiddenError, InvalidError, NotFoundError } from '../../platform/errors.ts';
import { isSameSecret } from '../../platform/same-secret.ts';
import type { SecuritySource } from '../../platform/security-log.ts';
import { findUserByEmail, hasAdmins, hasUsers } from '../users/user-queries.ts';
import { consumeInvite, findOpenInvite } from './invite-queries.ts';
import { toInviteToken, toInviteUrl } from './invite-token.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'keyedHash'>;
type PublicContext = Context & Pick<AppContext, 'securityLog'>;
type SecurityRequest = NonNullable<SecuritySource['request']>;

/** Invites in the database are `stored`. The link that the start prints for ADMIN_EMAIL needs no row. */
export type UsableInvite = {
  kind: 'stored' | 'administrator';
  /** Null without a row. */
  id: string | null;
  token: string;
  email: string | null;
  expiresAt: Date;
};

export const INVITE_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

const INVALID_INVITE = 'This invitation is no longer valid. Ask for a new one.';
const REFUSALS = {
  invite: 'Registration is by invitation here. Ask the person who runs it for one.',
  closed: 'Registration is closed here.',
};

/** Null for a token that is unknown, used, revoked or expired. */
async function findUsableInvite(
  context: PublicContext,
  token: string,
  request: SecurityRequest,
): Promise<UsableInvite | null> {
  const { db, clock, securityLog } = context;
  const administrator = await findAdministratorInvite(context);
  if (administrator && isSameSecret(token, administrator.token)) return administrator;
  const invite = await findOpenInvite(db, token, clock.now());
  if (invite)
    return { kind: 'stored', id: invite.id, token, email: invite.email, expiresAt: invite.expiresAt };
  securityLog.record('unknown-link', 'failure', { request, details: { of: 'invite' } });
  return null;
}

/** @throws NotFoundError for a token that is unknown, used, revoked or expired */
export async function getUsableInvite(
  context: PublicContext,
  token: string,
  request: SecurityRequest,
): Promise<UsableInvite> {
  const invite = await findUsableInvite(context, token, request);
  if (!invite) throw new NotFoundError(INVALID_INVITE);
  return invite;
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
export async function checkInvite(
  context: PublicContext,
  { email, inviteToken }: Pick<RegisterRequest, 'email' | 'inviteToken'>,
  { request, isFromThisMachine }: { request: SecurityRequest; isFromThisMachine: boolean },
): Promise<UsableInvite | null> {
  const invite = inviteToken ? await findUsableInvite(context, inviteToken, request) : null;
  if (!invite) refuseUnlessOpen(await findRegistration(context, { isFromThisMachine }));
  if (invite?.email && invite.email.toLowerCase() !== email.toLowerCase()) {
    const message = `This invitation is for ${invite.email}.`;
    throw new InvalidError(message, { email: message });
  }
  return invite;
}

/** Uses the invitation up. @throws ForbiddenError if a concurrent registration used it, or created the first account */
export async function acceptInvite(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  tx: Tx,
  invite: UsableInvite | null,
  { isFirstUser }: { isFirstUser: boolean },
): Promise<{ verifiesEmail: boolean; isInvited: boolean; isAdmin: boolean }> {
  if (invite?.kind === 'administrator') return { verifiesEmail: false, isInvited: false, isAdmin: true };
  const consumed = invite && (await consumeInvite(tx, invite.token, clock.now()));
  // Also in mode `open`: an invitation is exempt from its limits.
  if (invite && !consumed && !isFirstUser) throw new ForbiddenError(INVALID_INVITE, 'registration');
  if (!invite && !isFirstUser) refuseUnlessOpen(config.access.registration);
  const verifiesEmail = consumed?.isEmailedToken ?? false;
  return { verifiesEmail, isInvited: consumed !== null, isAdmin: isFirstUser };
}

function refuseUnlessOpen(registration: Registration): void {
  if (registration !== 'open') throw new ForbiddenError(REFUSALS[registration], 'registration');
}

/** The link with which the person of ADMIN_EMAIL creates the first administrator, in every registration mode. */
export async function administratorInviteUrl(
  context: Context & Pick<AppContext, 'baseUrl'>,
): Promise<string | null> {
  const invite = await findAdministratorInvite(context);
  return invite && toInviteUrl(context, invite.token);
}

/** Only while there is no administrator: its token depends on the address alone, so it works as often as it is offered. */
async function findAdministratorInvite(context: Context): Promise<UsableInvite | null> {
  const { config, db, clock } = context;
  const email = config.access.adminEmail;
  if (email === null || (await findUserByEmail(db, email)) || (await hasAdmins(db))) return null;
  const token = toInviteToken(context, 'admin-invite', email.toLowerCase());
  const expiresAt = new Date(clock.now().getTime() + INVITE_LIFETIME_MS);
  return { kind: 'administrator', id: null, token, email, expiresAt };
}
