import type { Registration } from '#shared/app-config';
import type { RegisterRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { clientIp } from '../../platform/client-ip.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ForbiddenError, InvalidError, NotFoundError } from '../../platform/errors.ts';
import { isSameSecret } from '../../platform/same-secret.ts';
import type { SecuritySource } from '../../platform/security-log.ts';
import { updateUser, type UserRow } from '../users/user-queries.ts';
import { hasAdmins, isFirstAdmin } from '../users/admin-queries.ts';
import { consumeInvite, findOpenInvite } from './invite-queries.ts';
import { toInviteToken, toInviteUrl } from './invite-token.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'keyedHash'>;
type PublicContext = Context & Pick<AppContext, 'securityLog' | 'rateLimits'>;
type SecurityRequest = NonNullable<SecuritySource['request']>;

/** Invites in the database are `stored`. The link that the start prints for the first administrator needs no row. */
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

/** Null for a token that is unknown, used, revoked or expired: they count. @throws TooManyRequestsError */
async function findUsableInvite(
  context: PublicContext,
  token: string,
  request: SecurityRequest,
): Promise<UsableInvite | null> {
  const { rateLimits, securityLog } = context;
  const client = clientIp({ ip: request.ip });
  // Before the lookup, so that concurrent guesses count.
  await rateLimits.invitePerIp.consume(client);
  const invite = await lookUpInvite(context, token);
  if (invite) await rateLimits.invitePerIp.giveBack(client);
  else securityLog.record('unknown-link', 'failure', { request, details: { of: 'invite' } });
  return invite;
}

async function lookUpInvite(context: Context, token: string): Promise<UsableInvite | null> {
  const administrator = await findAdministratorInvite(context);
  if (administrator && isSameSecret(token, administrator.token)) return administrator;
  const invite = await findOpenInvite(context.db, token, context.clock.now());
  if (!invite) return null;
  return { kind: 'stored', id: invite.id, token, email: invite.email, expiresAt: invite.expiresAt };
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

/** Null for someone who may register without an invitation. @throws ForbiddenError, InvalidError for another address */
export async function checkInvite(
  context: PublicContext,
  { email, inviteToken }: Pick<RegisterRequest, 'email' | 'inviteToken'>,
  request: SecurityRequest,
): Promise<UsableInvite | null> {
  const invite = inviteToken ? await findUsableInvite(context, inviteToken, request) : null;
  if (!invite) refuseUnlessOpen(context.config.access.registration);
  if (invite && !isFor(invite, email)) {
    const message = describeRecipient(invite);
    throw new InvalidError(message, { email: message });
  }
  return invite;
}

/** Uses the invitation up. @throws ForbiddenError if a concurrent registration used it */
export async function acceptInvite(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  tx: Tx,
  invite: UsableInvite | null,
): Promise<{ verifiesEmail: boolean; isInvited: boolean; isAdmin: boolean }> {
  if (invite?.kind === 'administrator') {
    if (!(await isFirstAdmin(tx))) throw new ForbiddenError(INVALID_INVITE, 'registration');
    return { verifiesEmail: false, isInvited: false, isAdmin: true };
  }
  const consumed = invite && (await consumeInvite(tx, invite.token, clock.now()));
  // Also in mode `open`: an invitation is exempt from its limits.
  if (invite && !consumed) throw new ForbiddenError(INVALID_INVITE, 'registration');
  if (!invite) refuseUnlessOpen(config.access.registration);
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
  const invite = await getUsableInvite(context, token, request);
  if (invite.kind !== 'administrator') throw new NotFoundError(INVALID_INVITE);
  if (!isFor(invite, email)) throw new ForbiddenError(describeRecipient(invite));
  return context.db.transaction(async (tx) => {
    if (!(await isFirstAdmin(tx))) throw new NotFoundError(INVALID_INVITE);
    return updateUser(tx, id, { isAdmin: true });
  });
}

function isFor(invite: UsableInvite, email: string): boolean {
  return !invite.email || invite.email.toLowerCase() === email.toLowerCase();
}

function describeRecipient({ email }: UsableInvite): string {
  return `This invitation is for ${email}.`;
}

function refuseUnlessOpen(registration: Registration): void {
  if (registration !== 'open') throw new ForbiddenError(REFUSALS[registration], 'registration');
}

/** The link that makes an account the first administrator, or creates it in every registration mode: ADMIN_EMAIL's, if set. */
export async function administratorInviteUrl(
  context: Context & Pick<AppContext, 'baseUrl'>,
): Promise<string | null> {
  const invite = await findAdministratorInvite(context);
  return invite && toInviteUrl(context, invite.token);
}

/** Only while there is no administrator, but then as often as it is offered: by several processes and starts. */
async function findAdministratorInvite(context: Context): Promise<UsableInvite | null> {
  const { config, db, clock } = context;
  const email = config.access.adminEmail;
  if (await hasAdmins(db)) return null;
  const token = toInviteToken(context, 'admin-invite', email?.toLowerCase() ?? '');
  const expiresAt = new Date(clock.now().getTime() + INVITE_LIFETIME_MS);
  return { kind: 'administrator', id: null, token, email, expiresAt };
}
