import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { listZoneOffsets } from './zone-offsets.ts';

describe('the offsets of a time zone', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Tucuman',
    'America/Havana',
    'America/Noronha',
    'America/St_Johns',
    'Africa/Casablanca',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ])('give the same local times as Postgres: %s', async (zone) => {
    const { starts, offsets } = listZoneOffsets(zone, new Date('2026-11-23'));
    const client = new pg.Client({ connectionString: inject('postgresUrl') });
    await client.connect();
    try {
      const { rows } = await client.query<{ differences: number }>(
        `select count(*)::int as differences
        from generate_series(timestamptz '2000-01-01Z', '2026-01-01Z', '30 minutes') instant
        where instant at time zone $1 is distinct from
          instant at time zone ($3::interval[])[width_bucket(instant, $2::timestamptz[])]`,
        [zone, starts, offsets],
      );
      expect(rows).toEqual([{ differences: 0 }]);
    } finally {
      await client.end();
    }
  });
});
