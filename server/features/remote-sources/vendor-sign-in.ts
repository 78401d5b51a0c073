import {
  REMOTE_PATH,
  VENDOR_SIGN_IN_EXPIRED,
  signInExpiredMessage,
  type RemoteSource,
} from '#shared/transfers/remote-source';
import type { AppContext } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import type { CompanionService, CompanionSession, Provider } from './companion-service.ts';

/** Companion's internal redirects: connect, grant's connect, redirect, grant's callback, callback. */
const MAX_STEPS = 5;

type Step = { companion: CompanionService; provider: Provider; requestId: string };

/**
 * Starts a sign-in. Returns the vendor's page and what the end needs; null if the vendor is not configured properly.
 * Companion's own redirects are followed here, since they have the tokens in their addresses and in the session.
 */
export async function startSignIn(
  context: Pick<AppContext, 'baseUrl'>,
  step: Step,
): Promise<{ url: string; grant: object } | null> {
  const session: CompanionSession = {};
  const url = await follow(context, step, `/${step.provider}/connect`, session);
  return url && session.grant ? { url: url.href, grant: session.grant } : null;
}

/** Ends a sign-in with the query that the vendor has redirected with. Null if the user or the vendor declined. */
export async function finishSignIn(
  context: Pick<AppContext, 'baseUrl'>,
  step: Step,
  { query, grant }: { query: string; grant: object },
): Promise<string | null> {
  const url = await follow(context, step, `/${step.provider}/redirect${query}`, { grant }).catch(() => null);
  return url?.searchParams.get('uppyAuthToken') ?? null;
}

/** The first address that is not companion's own, or the one with the token. */
async function follow(
  { baseUrl }: Pick<AppContext, 'baseUrl'>,
  { companion, provider, requestId }: Step,
  start: string,
  session: CompanionSession,
): Promise<URL | null> {
  const own = new URL(REMOTE_PATH, baseUrl.origin());
  let path = start;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { location } = (await companion.call({ path, session, requestId })).headers;
    if (typeof location !== 'string' || !URL.canParse(location, own.href)) return null;
    const url = new URL(location, own);
    const isOwn = url.origin === own.origin && url.pathname.startsWith(`${REMOTE_PATH}/`);
    if (!isOwn || url.pathname === `${REMOTE_PATH}/${provider}/send-token`) return url;
    path = url.pathname.slice(REMOTE_PATH.length) + url.search;
  }
  return null;
}

/** A 401 of the vendor, which must not sign the user out here. */
export function signInExpired(source: RemoteSource): AppError {
  return new AppError(401, signInExpiredMessage(source), { code: VENDOR_SIGN_IN_EXPIRED });
}
