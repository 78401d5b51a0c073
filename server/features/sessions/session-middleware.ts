import { Router, type RequestHandler } from 'express';
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

/** Loads the session with its user, and sets `request.user` when someone is signed in. */
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

/**
 * Extends a session in use by another 30 days, at most once a day. Requests for images and events do not count as use:
 * images are cached together with their response headers, and a page that is left open follows events.
 */
function renewSession(clock: AppContext['clock']): RequestHandler {
  return (request, _response, next) => {
    const now = clock.now().getTime();
    const isRenewalDue = now - (request.session.renewedAt ?? 0) > RENEWAL_INTERVAL_MS;
    const { originalUrl } = request;
    const isUse = originalUrl.startsWith('/api/') && !originalUrl.startsWith('/api/events');
    if (request.user && isRenewalDue && isUse) request.session.renewedAt = now;
    next();
  };
}
