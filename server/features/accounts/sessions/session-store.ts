import connectPgSimple from 'connect-pg-simple';
import type { Request } from 'express';
import session, { type SessionData } from 'express-session';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../../platform/db/database.ts';
import { isDatabaseUnavailable } from '../../../platform/db/database-errors.ts';
import { UnavailableError } from '../../../platform/errors.ts';
import { findSession } from './session-queries.ts';
import type { UserRow } from '../users/user-queries.ts';

declare module 'express-session' {
  interface SessionData {
    renewedAt: number;
    passwordDigest: string;
    /** When the user last showed the password or a passkey. */
    identityConfirmedAt: number;
    /** Whether it was loaded from the store. */
    isStored: boolean;
  }
}

declare module 'http' {
  interface IncomingMessage {
    sessionUser?: UserRow;
    sessionTimes?: SessionTimes;
  }
}

type SessionTimes = { createdAt: Date; lastSeenAt: Date | null };

/** Symbols, because express-session compares and stores all string keys. */
const USER = Symbol('user');
const TIMES = Symbol('times');
type FoundSession = SessionData & { [USER]?: UserRow; [TIMES]?: SessionTimes };
type Done = (error?: unknown, session?: FoundSession | null) => void;

// One query loads a session and its user. `set` only updates a stored session: a request that ends after a logout must not
// recreate it. An outage of Postgres is a 503: express-session takes ENOENT for an unknown session, which would sign out.
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
        (found) => {
          if (!found) return done(null, null);
          const { data, user, ...times } = found;
          done(null, {
            ...(data as SessionData),
            isStored: true,
            ...(user && { [USER]: user }),
            [TIMES]: times,
          });
        },
        (error: unknown) => done(toUnavailable(error)),
      );
    }

    override createSession(request: Request, found: FoundSession): session.Session & SessionData {
      if (found[USER]) request.sessionUser = found[USER];
      if (found[TIMES]) request.sessionTimes = found[TIMES];
      return super.createSession(request, found);
    }

    override set(sid: string, data: SessionData, done: Done = () => undefined): void {
      if (data.isStored)
        update(sid, data).then(
          () => done(),
          (error: unknown) => done(toUnavailable(error)),
        );
      else void super.set(sid, data, (error: unknown) => done(toUnavailable(error)));
    }

    override destroy(sid: string, done: Done = () => undefined): void {
      void super.destroy(sid, (error: unknown) => done(toUnavailable(error)));
    }
  }

  const store = new SessionStore({
    pool,
    tableName: 'sessions',
    errorLog: (...details: unknown[]) =>
      logger.warn({ details: details.map(String) }, 'The session store reported an error'),
  });
  // `touch` would run an UPDATE on each request; `renewSession` writes once a day instead. Even with `disableTouch`,
  // express-session would hash each session once more.
  Object.assign(store, { touch: undefined });
  // Starts the deletion of expired sessions, every 15 minutes. The overridden `get` would have started it.
  store.pruneSessions();
  return store;

  async function update(sid: string, data: SessionData): Promise<void> {
    // The stored digest stays: a change of the password may have replaced it since this request loaded the session.
    await pool.query(
      `update sessions
       set sess = $2::jsonb || jsonb_strip_nulls(jsonb_build_object('passwordDigest', sess -> 'passwordDigest')),
           expire = $3
       where sid = $1`,
      [sid, data, data.cookie.expires],
    );
  }
}

function toUnavailable(error: unknown): unknown {
  return isDatabaseUnavailable(error) ? new UnavailableError(undefined, error) : (error ?? null);
}
