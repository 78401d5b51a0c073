import type pg from 'pg';

/** Expires the active jobs (those of which the condition is true), the email leases and the heartbeats of exports and imports of killed processes. Call only while no process runs. */
export async function expireClaims(pool: pg.Pool, jobs = 'true'): Promise<void> {
  await pool.query(
    `update pgboss.job set state = 'retry', start_after = now() where state = 'active' and ${jobs}`,
  );
  await pool.query(
    `update pgboss.job set start_after = now() where state = 'created' and name = 'send-emails'`,
  );
  await pool.query('update emails set lease_expires_at = now() where lease_expires_at is not null');
  for (const table of ['exports', 'imports'])
    await pool.query(
      `update ${table} set heartbeat_at = now() - interval '1 hour' where heartbeat_at is not null`,
    );
}
