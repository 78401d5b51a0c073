import connectPgSimple from 'connect-pg-simple';
import type { Request } from 'express';
import session, { type SessionData } from 'express-session';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../platform/db/database.ts';
import { isDatabaseUnavailable } from '../../platform/db/database-errors.ts';
import { UnavailableError } from '../../platform/errors.ts';
import { findSession } from './session-queries.ts';
import type { UserRow } from '../users/user-queries.ts';

declare module 'express-session' {
  interface SessionData {
    /** When it was last written, in milliseconds since 1970. */
    renewedAt: number;
    /** It came out of the store. */
    isStored: boolean;
  }
}

declare module 'http' {
  interface IncomingMessage {
    /** Whose the session was when it came out of the store. */
    sessionUser?: UserRow;
  }
}

/** By a symbol: what express-session keeps, compares and stores are the other keys alone. */
const USER = Symbol('user');
type FoundSession = SessionData & { [USER]?: UserRow };
type Done = (error?: unknown, session?: FoundSession | null) => void;

/**
 * Sessions in Postgres, by connect-pg-simple. Three things are ours:
 * a session is found together with its user, in one look into the database instead of two;
 * a stored session is only ever updated, so that a request that ends after a logout does not bring it back;
 * and a database that is down is said to be down: its ENOENT, for a socket that is not there, would be taken for
 * "no such session", and the person for signed out.
 */
export function createSessionStore({
  db,
  pool,
  logger,
}: {
  db: Db;
  pool: pg.Pool;
  logger: Logger;
}): session.Store {
  const PgStore = connectPgSimple(session);

  class SessionStore extends PgStore {
    override get(sid: string, done: Done): void {
      findSession(db, sid).then(
        (found) =>
          done(null, found && { ...(found.data as SessionData), isStored: true, [USER]: found.user }),
        (error: unknown) => done(explain(error)),
      );
    }

    override createSession(request: Request, found: FoundSession): session.Session & SessionData {
      if (found[USER]) request.sessionUser = found[USER];
      return super.createSession(request, found);
    }

    override set(sid: string, data: SessionData, done: Done = () => undefined): void {
      if (data.isStored)
        update(sid, data).then(
          () => done(),
          (error: unknown) => done(explain(error)),
        );
      else void super.set(sid, data, (error: unknown) => done(explain(error)));
    }

    override destroy(sid: string, done: Done = () => undefined): void {
      void super.destroy(sid, (error: unknown) => done(explain(error)));
    }
  }

  const store = new SessionStore({
    pool,
    tableName: 'sessions',
    // Otherwise each request would cost an UPDATE; `renewSession` writes once a day instead.
    disableTouch: true,
    errorLog: (...problem: unknown[]) =>
      logger.warn({ problem: problem.map(String) }, 'The session store had a problem'),
  });
  // What is over is cleared away from now on, every quarter of an hour or so: the store's own `get` would begin with it.
  store.pruneSessions();
  return store;

  async function update(sid: string, data: SessionData): Promise<void> {
    await pool.query('update sessions set sess = $2, expire = $3 where sid = $1', [
      sid,
      data,
      data.cookie.expires,
    ]);
  }
}

function explain(error: unknown): unknown {
  return isDatabaseUnavailable(error) ? new UnavailableError(undefined, error) : (error ?? null);
}
