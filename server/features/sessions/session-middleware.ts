import { Router, type RequestHandler } from 'express';
import session from 'express-session';
import type passport from 'passport';
import type pg from 'pg';
import type { AppContext } from '../../platform/context.ts';
import { createSessionStore } from './session-store.ts';
import { SESSION_LIFETIME_MS, sessionCookieName, sessionCookieOptions } from './session-cookie.ts';

const RENEWAL_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Reads the session from Postgres and its user with it: `request.user` is set for whoever is signed in. */
export function readSession(
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
      cookie: { ...sessionCookieOptions(config), maxAge: SESSION_LIFETIME_MS },
      store: createSessionStore(context),
    }),
    context.authenticator.session() as RequestHandler,
    renewSession(context.clock),
  );
}

/**
 * Rolling: a session in use lives another 30 days, written at most daily and never by a picture, which is cached, nor
 * by an open page that follows the account's events all by itself.
 */
function renewSession(clock: AppContext['clock']): RequestHandler {
  return (request, _response, next) => {
    const now = clock.now().getTime();
    const isDue = now - (request.session.renewedAt ?? 0) > RENEWAL_INTERVAL_MS;
    const { originalUrl } = request;
    const isUse = originalUrl.startsWith('/api/') && !originalUrl.startsWith('/api/events');
    if (request.user && isDue && isUse) request.session.renewedAt = now;
    next();
  };
}
