import { Router, type Request, type Response } from 'express';
import type {
  ConnectedIdentity,
  ConnectedIdentityList,
  OidcProblem,
  OidcStart,
  PendingOidcIdentity,
} from '#shared/accounts/oidc';
import type * as z from 'zod/mini';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../platform/context.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { idParam } from '../../../platform/http/validate.ts';
import { createOidcClient } from '../../../platform/oidc/oidc-client.ts';
import { isTotpOn } from '../second-factors/check-code.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { startPendingSignIn } from '../sessions/pending-sign-in.ts';
import { requireConfirmedIdentity } from '../sessions/access/confirmed-identity.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import type { UserRow } from '../users/user-queries.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { sessionCookieOptions } from '../sessions/session-middleware.ts';
import { listIdentities, type OidcIdentityRow } from './oidc-queries.ts';
import {
  findPendingOidcIdentity,
  finishOidcSignIn,
  joinOidcIdentity,
  OIDC_SIGN_IN_LIFETIME_MS,
  removeOidcIdentity,
  startOidcSignIn,
} from './oidc-service.ts';

/** None without a provider. */
export function oidcRoutes(appContext: AppContext): Router {
  const { config, clock, db, rateLimits, securityLog } = appContext;
  const router = Router();
  if (!config.oidc) return router;
  const context = { ...appContext, oidc: createOidcClient(config.oidc, clock) };
  const requireIdentity = requireConfirmedIdentity(context);
  const cookieName = config.http.isHttps ? '__Host-mems.oidc' : 'mems.oidc';
  const cookieOptions = sessionCookieOptions(config);

  // A POST, so that no other site can begin a sign-in in this browser (login CSRF).
  router.post('/api/oidc/start', async (request, response) => {
    await rateLimits.oidcSignInPerIp.consume(clientIp(request), 'Too many sign-ins.');
    const { url, token } = await startOidcSignIn(context);
    response.cookie(cookieName, token, { ...cookieOptions, maxAge: OIDC_SIGN_IN_LIFETIME_MS });
    response.json({ url } satisfies OidcStart);
  });

  // The provider sends the browser here. Every response is a redirect to a fixed page.
  router.get('/api/oidc/callback', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const { searchParams } = new URL(request.originalUrl, 'http://localhost');
    const returned = await finishOidcSignIn(context, readToken(request), searchParams);
    if (returned.kind === 'unknown') {
      response.cookie(cookieName, readToken(request), { ...cookieOptions, maxAge: OIDC_SIGN_IN_LIFETIME_MS });
      return response.redirect(303, '/connect');
    }
    if (returned.kind === 'problem') {
      const { problem } = returned;
      if (problem === 'rejected' || problem === 'expired')
        securityLog.record('sign-in', 'failure', { request, details: { method: 'oidc', problem } });
      return redirectBack(request, response, problem);
    }
    response.clearCookie(cookieName, cookieOptions);
    await signIn(context, request, response, returned.user);
  });

  router.get('/api/oidc/pending', async (request, response) => {
    const pending = await findPendingOidcIdentity(context, readToken(request));
    if (!pending) throw new NotFoundError('This sign-in has expired. Please start it again.');
    response.json({ label: pending.label } satisfies PendingOidcIdentity);
  });

  router.get('/api/oidc/identities', requireUser, async (request, response) => {
    const rows = await listIdentities(db, currentUser(request).id);
    response.json(rows.map(presentIdentity) satisfies z.infer<typeof ConnectedIdentityList>);
  });

  router.post('/api/oidc/identities', requireUser, requireIdentity, async (request, response) => {
    const join = () =>
      joinOidcIdentity(context, currentUser(request), readToken(request), requestSource(request, clock));
    const joined = await securityLog.attempt('identity-joined', { request }, join);
    response.clearCookie(cookieName, cookieOptions);
    response.status(201).json(presentIdentity(joined));
  });

  router.delete('/api/oidc/identities/:id', requireUser, requireIdentity, async (request, response) => {
    await removeOidcIdentity(context, currentUser(request), idParam(request), requestSource(request, clock));
    securityLog.record('identity-removed', 'success', { request });
    response.status(204).end();
  });

  return router;

  /** Empty without a cookie. */
  function readToken({ headers }: Request): string {
    const cookie = headers.cookie?.split('; ').find((each) => each.startsWith(`${cookieName}=`));
    return cookie?.slice(cookieName.length + 1) ?? '';
  }
}

/** Unless the browser is signed in already, the account is disabled, or has an authenticator app. */
async function signIn(
  context: AppContext,
  request: Request,
  response: Response,
  user: UserRow,
): Promise<void> {
  if (request.user) {
    if (request.user.id !== user.id) return redirectBack(request, response, 'taken');
    return response.redirect(303, '/account');
  }
  if (user.disabledAt) {
    const details = { method: 'oidc', problem: 'disabled' };
    context.securityLog.record('sign-in', 'refused', { request, userId: user.id, details });
    return response.redirect(303, '/auth?ended=disabled');
  }
  if (await isTotpOn(context, user.id)) {
    await startPendingSignIn(context, request, user, { confirmsIdentity: false });
    return response.redirect(303, '/auth?step=code');
  }
  await completeSignIn(context, request, response, user, {
    confirmsIdentity: false,
    details: { method: 'oidc' },
  });
  response.redirect(303, '/');
}

/** To the page with the button. */
function redirectBack(request: Request, response: Response, problem: OidcProblem): void {
  response.redirect(303, `${request.user ? '/account' : '/auth'}?oidc=${problem}`);
}

function presentIdentity({ id, label, createdAt, lastUsedAt }: OidcIdentityRow): ConnectedIdentity {
  return {
    id,
    label,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
