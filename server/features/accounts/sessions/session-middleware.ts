import { Router, type Request, type RequestHandler } from 'express';
import session from 'express-session';
import type passport from 'passport';
import type pg from 'pg';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import { MAX_SESSION_DAYS, updateSessionUse } from './session-queries.ts';
import { createSessionStore } from './session-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 30 * DAY_MS;
const RENEWAL_INTERVAL_MS = DAY_MS;
const USE_INTERVAL_MS = 10 * 60 * 1000;

type HttpConfig = Pick<AppContext['config'], 'http'>;

/** The `__Host-` prefix binds the cookie to this host and to HTTPS. Browsers reject it over plain HTTP. */
export function sessionCookieName({ http }: HttpConfig): string {
  return http.isHttps ? '__Host-mems.sid' : 'mems.sid';
}

export function sessionCookieOptions({ http }: HttpConfig) {
  return { httpOnly: true, sameSite: 'lax', secure: http.isHttps, path: '/' } as const;
}

export function loadSession(
  context: Pick<AppContext, 'config' | 'clock' | 'db' | 'logger'> & {
    authenticator: passport.Authenticator;
    pool: pg.Pool;
    sessionSecret: string;
  },
): RequestHandler {
  const { config } = context;
  return Router().use(
    session({
      name: sessionCookieName(config),
      secret: context.sessionSecret,
      resave: false,
      saveUninitialized: false,
      cookie: { ...sessionCookieOptions(config), maxAge: LIFETIME_MS },
      store: createSessionStore(context),
    }),
    context.authenticator.session() as RequestHandler,
    renewSession(context.clock),
    storeUse(context),
  );
}

/** Requests for images (cached with their headers) and events (an idle open page) do not count as use. */
export function isUse({ originalUrl }: Pick<Request, 'originalUrl'>): boolean {
  return originalUrl.startsWith('/api/') && !originalUrl.startsWith('/api/events');
}

/** At most once a day. */
function renewSession(clock: AppContext['clock']): RequestHandler {
  return (request, _response, next) => {
    const now = clock.now().getTime();
    const isRenewalDue = now - (request.session.renewedAt ?? 0) > RENEWAL_INTERVAL_MS;
    if (request.user && isRenewalDue && isUse(request)) request.session.renewedAt = now;
    // Whenever it is stored, also for another reason. By the system's clock, as express-session and Postgres do.
    if (request.sessionTimes) {
      const endsAt = request.sessionTimes.createdAt.getTime() + MAX_SESSION_DAYS * DAY_MS;
      request.session.cookie.maxAge = Math.min(LIFETIME_MS, endsAt - Date.now());
    }
    next();
  };
}

/** When and where it was last used, not on every request. */
function storeUse({ db, clock }: Pick<AppContext, 'db' | 'clock'>): RequestHandler {
  return async (request, _response, next) => {
    const before = clock.now().getTime() - USE_INTERVAL_MS;
    const { user, sessionTimes } = request;
    const isDue = user && sessionTimes && (sessionTimes.lastSeenAt?.getTime() ?? 0) <= before;
    if (isDue && isUse(request))
      await updateSessionUse(db, request.sessionID, {
        ...requestSource(request, clock),
        before: new Date(before),
      });
    next();
  };
}
