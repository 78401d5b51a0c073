import type pg from 'pg';
import { StartupError } from '../process/startup-error.ts';

/** Created before a restore writes anything, and dropped by the transaction that loads the rows. */
const SCHEMA = 'mems_restore';

export async function writeRestoreMarker(client: pg.ClientBase, backupId: string): Promise<void> {
  await client.query(`create schema if not exists ${SCHEMA}`);
  await client.query(`create table if not exists ${SCHEMA}.marker (backup_id text primary key)`);
  // Another restore may have been interrupted before it wrote an object.
  await client.query('begin');
  await client.query(`delete from ${SCHEMA}.marker`);
  await client.query(`insert into ${SCHEMA}.marker values ($1)`, [backupId]);
  await client.query('commit');
}

/** The backup whose restore was interrupted, or null. */
export async function findRestoreMarker(client: pg.ClientBase): Promise<string | null> {
  const { rows: found } = await client.query<{ name: string | null }>(
    `select to_regclass('${SCHEMA}.marker') as name`,
  );
  if (!found[0]?.name) return null;
  const { rows } = await client.query<{ id: string }>(`select backup_id as id from ${SCHEMA}.marker`);
  return rows[0]?.id ?? null;
}

export async function dropRestoreMarker(client: pg.ClientBase): Promise<void> {
  await client.query(`drop schema if exists ${SCHEMA} cascade`);
}

/** @throws StartupError for an installation that is half restored */
export async function rejectHalfRestored(client: pg.ClientBase): Promise<void> {
  if ((await findRestoreMarker(client)) === null) return;
  throw new StartupError(
    'A restore of this installation was interrupted, so the album is not complete and does not start.\n' +
      'Please repeat it with the same file: npm run restore -- FILE',
  );
}
