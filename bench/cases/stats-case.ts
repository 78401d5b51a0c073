import { TIME_ZONE } from '../data/bench-data.ts';
import { jsonResponse } from '../baseline/baseline-context.ts';
import type { BenchCase } from './bench-case.ts';

/** Grouped by day first, like the app, with the time zone's name. */
const STATS = `
  select coalesce(sum(added), 0)::int as total, count(*)::int as "daysActive",
    coalesce(sum(added) filter (
      where date_trunc('month', day) = date_trunc('month', $2::timestamptz at time zone $3)
    ), 0)::int as "thisMonth"
  from (
    select (created_at at time zone $3)::date as day, count(*) as added
    from memories where owner_id = $1 and deleted_at is null group by day
  ) days`;

export const statsCase: BenchCase = {
  name: 'Stats',
  target: 1,
  requests: () => [{ path: '/api/memories/stats', headers: { 'X-Time-Zone': TIME_ZONE } }],
  async baseline({ pool, user }) {
    const { rows } = await pool.query(STATS, [user.id, new Date(), user.time_zone]);
    return jsonResponse(rows[0]);
  },
};
