import pg from 'pg';
import { vi } from 'vitest';
import { APPLICATION_NAME } from '../../platform/db/database.ts';

/** The write during which a process is killed. */
export type Moment = {
  table: string;
  on: 'insert' | 'update';
  /** An SQL condition on `new` and `old`. */
  when: string;
  /** Holds the commit: the write is stored, but the process does not get the result. */
  isCommitted?: boolean;
};

const LOCK_KEY = 4711;
const PATIENCE = { timeout: 120_000, interval: 10 };

/** Makes a write wait for a lock that we hold, so that a process can be killed at exactly that write. */
export async function holdWrite(databaseUrl: string, { table, on, when, isCommitted = false }: Moment) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const trigger = isCommitted
    ? `constraint trigger held_write after ${on} on ${table} deferrable initially deferred`
    : `trigger held_write before ${on} on ${table}`;
  await client.query(`
    select pg_advisory_lock(${LOCK_KEY});
    create function held_write() returns trigger language plpgsql as $$
      begin
        if ${when} then perform pg_advisory_xact_lock(${LOCK_KEY}); end if;
        return new;
      end
    $$;
    create ${trigger} for each row execute function held_write()`);

  const isTrue = async (condition: string) => {
    const { rows } = await client.query<{ is: boolean }>(`select (${condition}) as is`);
    return rows[0]?.is ?? false;
  };
  const waiting = `select pid from pg_locks where locktype = 'advisory' and not granted and objid = ${LOCK_KEY}
    and database = (select oid from pg_database where datname = current_database())`;
  const connections = `select from pg_stat_activity
    where datname = current_database() and application_name = '${APPLICATION_NAME}'`;

  return {
    async reached(): Promise<void> {
      await vi.waitUntil(() => isTrue(`exists (${waiting})`), PATIENCE);
    },
    /** Call after the kill. Resolves when the database has committed or rolled back. */
    async release(): Promise<void> {
      // A connection that waits for a lock does not notice that its client is gone.
      if (!isCommitted) await client.query(`select pg_terminate_backend(pid) from (${waiting})`);
      await client.query(`select pg_advisory_unlock(${LOCK_KEY})`);
      await vi.waitUntil(() => isTrue(`not exists (${connections})`), PATIENCE);
      await client.query('drop function held_write cascade');
      await client.end();
    },
  };
}
