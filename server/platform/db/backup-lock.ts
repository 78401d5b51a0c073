import type pg from 'pg';
import { openCopyClient } from './table-copy.ts';
import { StartupError } from '../process/startup-error.ts';

/** Arbitrary keys for advisory locks. A connection that ends releases them, also that of a killed process. */
const ONE_BACKUP_LOCK = 6_367_002;
const DELETIONS_WAIT_LOCK = 6_367_003;
const NIGHTLY_BACKUP_LOCK = 6_367_004;

/**
 * Until the client ends, no other backup begins, and `mustDeletionWait` is true. Take it before the snapshot.
 * @throws StartupError while another backup holds it
 */
export async function lockForBackup(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [
    ONE_BACKUP_LOCK,
  ]);
  if (!rows[0]?.isFree) throw new BackupRunningError();
  await client.query('select pg_advisory_lock($1)', [DELETIONS_WAIT_LOCK]);
}

export class BackupRunningError extends StartupError {
  constructor() {
    super('Another backup is being made. Nothing was written. Please try again when it has finished.');
  }
}

/**
 * Whether an object must stay because a backup may need it. Asked after the commit that removed its row: if no backup
 * runs then, a later one does not see the row either. So nothing is locked during the deletion.
 */
export async function mustDeletionWait(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isFree: boolean }>(
    'select pg_try_advisory_xact_lock_shared($1) as "isFree"',
    [DELETIONS_WAIT_LOCK],
  );
  return !rows[0]?.isFree;
}

/** @returns whether it acted: not while another process holds the lock */
export async function withNightlyBackupLock(url: string, act: () => Promise<void>): Promise<boolean> {
  const client = await openCopyClient(url, 'nightly backup');
  try {
    const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [
      NIGHTLY_BACKUP_LOCK,
    ]);
    const isFree = rows[0]?.isFree === true;
    if (isFree) await act();
    return isFree;
  } finally {
    await client.end();
  }
}
