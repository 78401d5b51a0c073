import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import { UnavailableError } from '../errors.ts';

declare module 'express-session' {
  interface SessionData {
    /** When it was last written, in milliseconds since 1970. */
    renewedAt: number;
    /** It came out of the store. */
    isStored: boolean;
  }
}

type Done = (error?: unknown, session?: SessionData | null) => void;

/**
 * Sessions in Postgres, by connect-pg-simple. Two things are ours:
 * a stored session is only ever updated, so that a request that ends after a logout does not bring it back;
 * and a database that is down is said to be down: its ENOENT, for a socket that is not there, would be taken for
 * "no such session", and the person for signed out.
 */
export function createSessionStore({ pool, logger }: { pool: pg.Pool; logger: Logger }): session.Store {
  const PgStore = connectPgSimple(session);

  class SessionStore extends PgStore {
    override get(sid: string, done: Done): void {
      super.get(sid, (error: unknown, found?: SessionData | null) =>
        done(explain(error), found && { ...found, isStored: true }),
      );
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

  return new SessionStore({
    pool,
    tableName: 'sessions',
    // Otherwise each request would cost an UPDATE; `renewSession` writes once a day instead.
    disableTouch: true,
    errorLog: (...problem: unknown[]) =>
      logger.warn({ problem: problem.map(String) }, 'The session store had a problem'),
  });

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
