import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../../platform/context.ts';
import { ConflictError, NotFoundError, UnavailableError } from '../../../platform/errors.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import {
  OidcError,
  type OidcClient,
  type OidcIdentity,
  type OidcSecrets,
} from '../../../platform/oidc/oidc-client.ts';
import { isSameSecret } from '../../../platform/security/same-secret.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import { lockSignedInUser, type UserRow } from '../users/user-queries.ts';
import {
  claimSignIn,
  consumePendingIdentity,
  deleteIdentity,
  findIdentity,
  findPendingIdentity,
  insertIdentity,
  insertSignIn,
  storePendingIdentity,
  updateIdentityUse,
  type OidcIdentityRow,
} from './oidc-queries.ts';

/** For the time at the provider, and again for joining an account. */
export const OIDC_SIGN_IN_LIFETIME_MS = 10 * 60 * 1000;

const EXPIRED = 'This sign-in has expired. Please start it again.';

type Context = Pick<AppContext, 'baseUrl' | 'clock' | 'config' | 'db' | 'keyedHash' | 'logger'> & {
  oidc: OidcClient;
};

/** How the browser came back. */
type OidcReturn =
  | { kind: 'problem'; problem: 'cancelled' | 'expired' | 'rejected' | 'unavailable' }
  | { kind: 'known'; user: UserRow }
  /** No account is joined: the identity waits for its owner to sign in. */
  | { kind: 'unknown' };

/** @returns the provider's URL, and a token for this browser's cookie @throws UnavailableError */
export async function startOidcSignIn(context: Context): Promise<{ url: string; token: string }> {
  const { config, db, clock, logger, oidc } = context;
  const token = randomBytes(32).toString('base64url');
  let url: string;
  try {
    url = await oidc.authorizationUrl(toRedirectUri(context), toSecrets(context, token));
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    logger.warn({ err: error }, 'The OpenID Connect provider did not answer');
    const message = `${config.oidc?.name} is not responding. Please try again in a moment, or use your password.`;
    throw new UnavailableError(message, error);
  }
  const now = clock.now();
  await insertSignIn(db, token, { now, expiresAt: expiresAt(now) });
  return { url, token };
}

/** Each sign-in ends once, in the browser that began it. `search` is the query of the redirect URI. */
export async function finishOidcSignIn(
  context: Context,
  token: string,
  search: URLSearchParams,
): Promise<OidcReturn> {
  const { db, clock, logger, oidc } = context;
  const secrets = toSecrets(context, token);
  if (!isSameSecret(search.get('state') ?? undefined, secrets.state)) return toProblem('expired');
  if (!(await claimSignIn(db, token, clock.now()))) return toProblem('expired');
  let identity: OidcIdentity;
  try {
    identity = await oidc.redeem(new URL(`?${search.toString()}`, toRedirectUri(context)), secrets);
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    if (error.reason !== 'cancelled') logger.warn({ err: error }, 'A sign-in with OpenID Connect failed');
    return toProblem(error.reason);
  }
  const known = await findIdentity(db, identity);
  if (!known) {
    await storePendingIdentity(db, token, identity, expiresAt(clock.now()));
    return { kind: 'unknown' };
  }
  await updateIdentityUse(db, { id: known.identity.id, label: identity.label }, clock.now());
  return { kind: 'known', user: known.user };
}

/** Null if this browser has come back with none. */
export function findPendingOidcIdentity(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<OidcIdentity | null> {
  return findPendingIdentity(db, token, clock.now());
}

/** Idempotent for the same account. @throws NotFoundError, ConflictError (the identity stays pending), UnauthorizedError */
export function joinOidcIdentity(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'mailer'>,
  user: UserRow,
  token: string,
  source: RequestSource,
): Promise<OidcIdentityRow> {
  return retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      await lockSignedInUser(tx, user);
      const identity = await consumePendingIdentity(tx, token, source.now);
      if (!identity) throw new NotFoundError(EXPIRED);
      const joined = await insertIdentity(tx, user.id, identity, source.now);
      if (joined) {
        await notifyOwner(context, tx, user, 'identity-joined', source);
        return joined;
      }
      const existing = await findIdentity(tx, identity);
      if (existing?.user.id === user.id) return existing.identity;
      const name = context.config.oidc?.name;
      throw new ConflictError(
        existing
          ? `This sign-in with ${name} is connected to another album.`
          : `Your album is connected to another sign-in with ${name}. Disconnect that one first.`,
      );
    }),
  );
}

/** @throws NotFoundError */
export async function removeOidcIdentity(
  context: Pick<AppContext, 'db' | 'jobs' | 'mailer'>,
  user: UserRow,
  id: string,
  source: RequestSource,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await deleteIdentity(tx, user.id, id))) throw new NotFoundError('This is disconnected already.');
    await notifyOwner(context, tx, user, 'identity-removed', source);
  });
}

/** From PUBLIC_URL, never from the Host header: the provider sends the code there. */
function toRedirectUri({ baseUrl }: Pick<Context, 'baseUrl'>): string {
  return `${baseUrl.origin()}/api/oidc/callback`;
}

/** Keyed hashes of the cookie's token, so that nothing secret is stored. */
function toSecrets({ keyedHash }: Pick<Context, 'keyedHash'>, token: string): OidcSecrets {
  return {
    state: keyedHash('oidc-state', token),
    nonce: keyedHash('oidc-nonce', token),
    codeVerifier: keyedHash('oidc-code-verifier', token),
  };
}

function toProblem(problem: (OidcReturn & { kind: 'problem' })['problem']): OidcReturn {
  return { kind: 'problem', problem };
}

function expiresAt(now: Date): Date {
  return new Date(now.getTime() + OIDC_SIGN_IN_LIFETIME_MS);
}
