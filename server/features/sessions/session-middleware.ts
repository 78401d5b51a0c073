import { Router, type Request, type RequestHandler } from 'express';
import session from 'express-session';
import type passport from 'passport';
import type pg from 'pg';
import type { AppContext } from '../../platform/context.ts';
import { createSessionStore } from './session-store.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const RENEWAL_INTERVAL_MS = 24 * 60 * 60 * 1000;

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
    next();
  };
}
