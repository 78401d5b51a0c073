import { createHmac } from 'node:crypto';
import pg from 'pg';

export const SUPERUSER = 'postgres';
/** Of the app's role, and of its database. */
export const APP_ROLE = 'mems';

/** Derived, so that the data folder needs no second secret, and of no use to sign in as the superuser. */
export function appRolePassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(APP_ROLE).digest('base64url');
}

/**
 * Creates the app's role and its database. Idempotent: also moves a database that earlier releases made, or a backup of
 * theirs, to the role. A superuser could run programs (`COPY … TO PROGRAM`).
 */
export async function prepareAppDatabase(
  urlOf: (database: string) => string,
  superuserPassword: string,
): Promise<void> {
  await withClient(urlOf(SUPERUSER), async (client) => {
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE]);
    if (!roles) await client.query(`create role ${APP_ROLE}`);
    const password = client.escapeLiteral(appRolePassword(superuserPassword));
    await client.query(
      `alter role ${APP_ROLE} login nosuperuser nocreatedb nocreaterole password ${password}`,
    );
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [
      APP_ROLE,
    ]);
    if (!databases) await client.query(`create database ${APP_ROLE} owner ${APP_ROLE}`);
  });
  await withClient(urlOf(APP_ROLE), (client) => client.query(TAKE_OVER));
}

/** One transaction. `REASSIGN OWNED` rejects the superuser that initdb made. Indexes and owned sequences go with their table. */
const TAKE_OVER = `
do $$
declare
  statement text;
begin
  for statement in
    select format('alter database %I owner to ${APP_ROLE}', datname)
      from pg_database where datname = current_database() and datdba = '${SUPERUSER}'::regrole
    union all
    select format('alter schema %I owner to ${APP_ROLE}', nspname)
      from pg_namespace where nspowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_|^information_schema$'
    union all
    select format('alter table %s owner to ${APP_ROLE}', c.oid::regclass)
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_|^information_schema$'
        and (relkind in ('r', 'p', 'v', 'm') or relkind = 'S' and not exists (
          select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')
            and refclassid = 'pg_class'::regclass))
    union all
    select format('alter routine %s owner to ${APP_ROLE}', p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = pronamespace
      where proowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_|^information_schema$'
    union all
    select format('alter type %s owner to ${APP_ROLE}', t.oid::regtype)
      from pg_type t join pg_namespace n on n.oid = typnamespace
      where typowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_|^information_schema$' and typtype in ('e', 'd')
  loop
    execute statement;
  end loop;
end $$`;

async function withClient(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    // The server of an old cluster is read-only by default.
    options: '-c default_transaction_read_only=off',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await act(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
