import { count, sql, type SQLWrapper } from 'drizzle-orm';
import type { MemoryOrder, MemoryStats } from '#shared/memory';
import { isUnknownTimeZone } from '../../platform/db/database-errors.ts';
import type { Db } from '../../platform/db/database.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import type { MemoryCursor } from './memory-cursor.ts';
import { isMemoryOf, type MemoryFilters } from './memory-filter-queries.ts';

/** A calendar month that has memories; `before` is the place in the list right before its newest one. */
export type MonthRow = { month: string; count: number; before: MemoryCursor };

/** Days and months as they begin in the given zone, an IANA name; one that Postgres does not know counts as UTC. */
export function countMemories(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<MemoryStats> {
  return inZone(timeZone, async (zone) => {
    // Days first: to count distinct ones of all rows would sort all rows.
    const days = db
      .select({
        day: sql`(${memories.createdAt} at time zone ${zone}::text)::date`.as('day'),
        added: sql`count(*)`.as('added'),
      })
      .from(memories)
      .where(isMemoryOf(ownerId, filters))
      .groupBy(sql`day`)
      .as('days');
    const thisMonth = sql`date_trunc('month', ${now.toISOString()}::timestamptz at time zone ${zone}::text)`;
    const [row] = await db
      .select({
        total: sql`coalesce(sum(${days.added}), 0)`.mapWith(Number),
        thisMonth:
          sql`coalesce(sum(${days.added}) filter (where date_trunc('month', ${days.day}) = ${thisMonth}), 0)`.mapWith(
            Number,
          ),
        daysActive: count(),
      })
      .from(days);
    return row ?? { total: 0, thisMonth: 0, daysActive: 0 };
  });
}

/** Newest first. Months of adding begin as they do in the given zone; when it was taken has none. */
export function listMonths(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  { order, timeZone }: { order: MemoryOrder; timeZone: string },
): Promise<MonthRow[]> {
  return inZone(timeZone, (zone) =>
    order === 'taken' ? listMonthsTaken(db, ownerId, filters) : listMonthsAdded(db, ownerId, filters, zone),
  );
}

async function listMonthsAdded(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  timeZone: string,
): Promise<MonthRow[]> {
  const months = db
    .select({
      start: sql`date_trunc('month', ${memories.createdAt} at time zone ${timeZone}::text)`.as('start'),
    })
    .from(memories)
    .where(isMemoryOf(ownerId, filters))
    .as('months');
  const end = sql`(${months.start} + interval '1 month')`;
  const instantOf = (localTime: SQLWrapper) => sql`(${localTime} at time zone ${timeZone}::text)`;
  // A midnight comes twice where the clocks go back to it (Havana, 1 November): the first of them ends the month.
  const firstEnd = sql`least(${instantOf(end)}, ${instantOf(sql`(${end} - interval '1 hour')`)} + interval '1 hour')`;
  const rows = await db
    .select({
      month: monthName(months.start),
      count: count(),
      lastInstant: sql`${firstEnd} - interval '1 ms'`.mapWith(memories.createdAt),
    })
    .from(months)
    .groupBy(months.start)
    .orderBy(sql`${months.start} desc`);
  return rows.map(({ month, count, lastInstant }) => ({
    month,
    count,
    before: { ...LAST, takenAt: null, createdAt: lastInstant },
  }));
}

async function listMonthsTaken(db: Db, ownerId: string, filters: MemoryFilters): Promise<MonthRow[]> {
  const start = sql`date_trunc('month', ${memories.takenAt})`;
  const rows = await db
    .select({
      month: monthName(start),
      count: count(),
      lastSecond: sql<string>`(${start} + interval '1 month' - interval '1 s')::text`,
    })
    .from(memories)
    .where(isMemoryOf(ownerId, filters))
    .groupBy(start)
    .orderBy(sql`${start} desc`);
  return rows.map(({ month, count, lastSecond }) => ({
    month,
    count,
    before: { ...LAST, takenAt: lastSecond },
  }));
}

/** No row of the same moment sorts before it. */
const LAST = { createdAt: new Date('9999-12-31T23:59:59.999Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const monthName = (start: SQLWrapper) => sql<string>`to_char(${start}, 'YYYY-MM')`;

/** Browsers and this Postgres may know different zones. */
async function inZone<Result>(timeZone: string, query: (zone: string) => Promise<Result>): Promise<Result> {
  try {
    return await query(timeZone);
  } catch (error) {
    if (!isUnknownTimeZone(error)) throw error;
    return query('UTC');
  }
}
