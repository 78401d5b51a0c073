import pg from 'pg';
import { vi } from 'vitest';
import { APPLICATION_NAME } from '../platform/db/database.ts';

/** A write at which a process is held from the outside. */
export type Hold = {
  table: string;
  on: 'insert' | 'update';
  /** Which one, in SQL: what is asked of `new` and `old`. */
  when: string;
  /** The process is held while it commits, and what it commits comes true although it does not live to hear of it. */
  isCommitted?: boolean;
};

export type HeldWrites = {
  /** Until the process waits at this one. */
  reached(hold: Hold): Promise<void>;
  /** Once the process was killed: when nothing of it goes on any more, and whoever comes to these next is not held. */
  pass(...holds: Hold[]): Promise<void>;
  close(): Promise<void>;
};

const LOCK_CLASS = 4711;
const PATIENCE = { timeout: 120_000, interval: 10 };

/**
 * Has each of these writes wait for a lock that we keep, by a trigger in the database: so a process can be killed at an
 * exact moment, and knows nothing of it.
 */
export async function holdWrites(databaseUrl: string, holds: readonly Hold[]): Promise<HeldWrites> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const [n, { table, on, when, isCommitted }] of holds.entries()) {
    await client.query(`select pg_advisory_lock(${LOCK_CLASS}, ${n})`);
    const timing = isCommitted
      ? `after ${on} on ${table} deferrable initially deferred`
      : `before ${on} on ${table}`;
    await client.query(`
      create function held_${n}() returns trigger language plpgsql as $$
        begin
          if ${when} then perform pg_advisory_xact_lock(${LOCK_CLASS}, ${n}); end if;
          return new;
        end
      $$;
      create ${isCommitted ? 'constraint' : ''} trigger held_${n} ${timing} for each row execute function held_${n}()`);
  }

  const isTrue = async (condition: string) => {
    const { rows } = await client.query<{ is: boolean }>(`select (${condition}) as is`);
    return rows[0]?.is ?? false;
  };
  const numberOf = (hold: Hold) => holds.indexOf(hold);
  const waiting = `select pid, objid as number from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database()) and classid = ${LOCK_CLASS}`;
  const connections = `select from pg_stat_activity
    where datname = current_database() and application_name = '${APPLICATION_NAME}'`;

  return {
    async reached(hold) {
      const isReached = `exists (select from (${waiting}) where number = ${numberOf(hold)})`;
      await vi.waitUntil(() => isTrue(isReached), PATIENCE);
    },
    async pass(...passed) {
      // A connection that waits for a lock does not see that nobody is at its other end.
      const going = passed.filter(({ isCommitted }) => isCommitted).map(numberOf);
      await client.query(
        `select pg_terminate_backend(pid) from (${waiting}) where number <> all($1::int[])`,
        [going],
      );
      for (const hold of passed)
        await client.query(`select pg_advisory_unlock(${LOCK_CLASS}, ${numberOf(hold)})`);
      await vi.waitUntil(() => isTrue(`not exists (${connections})`), PATIENCE);
    },
    close: () => client.end(),
  };
}
