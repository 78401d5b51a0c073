import type { Registration } from '#shared/api/app-config';
import type { RegisterRequest } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ForbiddenError, InvalidError, NotFoundError } from '../../../platform/errors.ts';
import { isSameSecret } from '../../../platform/security/same-secret.ts';
import type { SecuritySource } from '../../../platform/logging/security-log.ts';
import { updateUser, type UserRow } from '../users/user-queries.ts';
import { hasAdmins, isFirstAdmin } from '../users/admin-queries.ts';
import { consumeInvitation, findOpenInvitation } from './invitation-queries.ts';
import { toInvitationToken, toInvitationUrl } from './invitation-token.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'keyedHash'>;
type PublicContext = Context & Pick<AppContext, 'securityLog' | 'rateLimits'>;
type SecurityRequest = NonNullable<SecuritySource['request']>;

/** Invitations in the database are `stored`. The link that the start prints for the first administrator needs no row. */
export type UsableInvitation = {
  kind: 'stored' | 'administrator';
  /** Null without a row. */
  id: string | null;
  token: string;
  email: string | null;
  expiresAt: Date;
};

export const INVITATION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

const INVALID_INVITATION = 'This invitation is no longer valid. Ask for a new one.';
const REJECTIONS = {
  invite: 'Registration is by invitation here. Ask the person who runs it for one.',
  closed: 'Registration is closed here.',
};

/** Null for a token that is unknown, used, revoked or expired: they count. @throws TooManyRequestsError */
async function findUsableInvitation(
  context: PublicContext,
  token: string,
  request: SecurityRequest,
): Promise<UsableInvitation | null> {
  const { rateLimits, securityLog } = context;
  const client = clientIp({ ip: request.ip });
  // Before the lookup, so that concurrent guesses count.
  await rateLimits.invitationPerIp.consume(client);
  const invitation = await lookUpInvitation(context, token);
  if (invitation) await rateLimits.invitationPerIp.giveBack(client);
  else securityLog.record('unknown-link', 'failure', { request, details: { of: 'invitation' } });
  return invitation;
}

async function lookUpInvitation(context: Context, token: string): Promise<UsableInvitation | null> {
  const administrator = await findAdministratorInvitation(context);
  if (administrator && isSameSecret(token, administrator.token)) return administrator;
  const invitation = await findOpenInvitation(context.db, token, context.clock.now());
  if (!invitation) return null;
  return {
    kind: 'stored',
    id: invitation.id,
    token,
    email: invitation.email,
    expiresAt: invitation.expiresAt,
  };
}

/** @throws NotFoundError for a token that is unknown, used, revoked or expired */
export async function getUsableInvitation(
  context: PublicContext,
  token: string,
  request: SecurityRequest,
): Promise<UsableInvitation> {
  const invitation = await findUsableInvitation(context, token, request);
  if (!invitation) throw new NotFoundError(INVALID_INVITATION);
  return invitation;
}

/** Null for someone who may register without an invitation. @throws ForbiddenError, InvalidError for another address */
export async function checkInvitation(
  context: PublicContext,
  { email, invitationToken }: Pick<RegisterRequest, 'email' | 'invitationToken'>,
  request: SecurityRequest,
): Promise<UsableInvitation | null> {
  const invitation = invitationToken ? await findUsableInvitation(context, invitationToken, request) : null;
  if (!invitation) rejectUnlessOpen(context.config.access.registration);
  if (invitation && !isFor(invitation, email)) {
    const message = describeRecipient(invitation);
    throw new InvalidError(message, { email: message });
  }
  return invitation;
}

/** Uses the invitation up. @throws ForbiddenError if a concurrent registration used it */
export async function acceptInvitation(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  tx: Tx,
  invitation: UsableInvitation | null,
): Promise<{ verifiesEmail: boolean; isInvited: boolean; isAdmin: boolean }> {
  if (invitation?.kind === 'administrator') {
    if (!(await isFirstAdmin(tx))) throw new ForbiddenError(INVALID_INVITATION, 'registration');
    return { verifiesEmail: false, isInvited: false, isAdmin: true };
  }
  const consumed = invitation && (await consumeInvitation(tx, invitation.token, clock.now()));
  // Also in mode `open`: an invitation is exempt from its limits.
  if (invitation && !consumed) throw new ForbiddenError(INVALID_INVITATION, 'registration');
  if (!invitation) rejectUnlessOpen(config.access.registration);
  const verifiesEmail = consumed?.isEmailedToken ?? false;
  return { verifiesEmail, isInvited: consumed !== null, isAdmin: false };
}

/** For an existing account. @throws NotFoundError for another link, ForbiddenError for another account than ADMIN_EMAIL's */
export async function becomeAdministrator(
  context: PublicContext,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  token: string,
  request: SecurityRequest,
): Promise<UserRow> {
  const invitation = await getUsableInvitation(context, token, request);
  if (invitation.kind !== 'administrator') throw new NotFoundError(INVALID_INVITATION);
  if (!isFor(invitation, email)) throw new ForbiddenError(describeRecipient(invitation));
  return context.db.transaction(async (tx) => {
    if (!(await isFirstAdmin(tx))) throw new NotFoundError(INVALID_INVITATION);
    return updateUser(tx, id, { isAdmin: true });
  });
}

function isFor(invitation: UsableInvitation, email: string): boolean {
  return !invitation.email || invitation.email.toLowerCase() === email.toLowerCase();
}

function describeRecipient({ email }: UsableInvitation): string {
  return `This invitation is for ${email}.`;
}

function rejectUnlessOpen(registration: Registration): void {
  if (registration !== 'open') throw new ForbiddenError(REJECTIONS[registration], 'registration');
}

/** The link that makes an account the first administrator, or creates it in every registration mode: ADMIN_EMAIL's, if set. */
export async function administratorInvitationUrl(
  context: Context & Pick<AppContext, 'baseUrl'>,
): Promise<string | null> {
  const invitation = await findAdministratorInvitation(context);
  return invitation && toInvitationUrl(context, invitation.token);
}

/** Only while there is no administrator, but then as often as it is offered: by several processes and starts. */
async function findAdministratorInvitation(context: Context): Promise<UsableInvitation | null> {
  const { config, db, clock } = context;
  const email = config.access.adminEmail;
  if (await hasAdmins(db)) return null;
  const token = toInvitationToken(context, 'admin-invite', email?.toLowerCase() ?? '');
  const expiresAt = new Date(clock.now().getTime() + INVITATION_LIFETIME_MS);
  return { kind: 'administrator', id: null, token, email, expiresAt };
}
