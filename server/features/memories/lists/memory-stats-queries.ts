import { and, count, eq, isNotNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { MemoryOrder, MemoryPetCounts, MemoryStats } from '#shared/album/memory';
import { toCalendarDay } from '#shared/dates/calendar-date';
import { isUnknownTimeZone } from '../../../platform/db/database-errors.ts';
import type { Db } from '../../../platform/db/database.ts';
import { caricatures } from '../../../platform/db/schema/album/caricatures.ts';
import { memories } from '../../../platform/db/schema/album/memories.ts';
import { isMemoryOf, type MemoryFilters } from '../memory-queries.ts';
import { listZoneOffsets } from '../zone-offsets.ts';
import type { MemoryCursor } from './memory-page-queries.ts';

type MonthRow = { month: string; count: number; before: MemoryCursor };

/** Days and months are local to the time zone, an IANA name. */
export async function getMemoryStats(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<MemoryStats> {
  const { starts, offsets } = listZoneOffsets(timeZone, now);
  // Half the time of `at time zone` with the zone's name, which Postgres looks up for each row.
  const offset = sql`(${sql.param(offsets)}::interval[])[
    width_bucket(${memories.createdAt}, ${sql.param(starts)}::timestamptz[])]`;
  // Group by day first: `count(distinct …)` over all rows would sort them all.
  const days = db
    .select({
      day: sql`(${memories.createdAt} at time zone ${offset})::date`.as('day'),
      added: sql`count(*)`.as('added'),
    })
    .from(memories)
    .where(isMemoryOf(ownerId, filters))
    .groupBy(sql`day`)
    .as('days');
  const month = sql`${`${toCalendarDay(now, timeZone).slice(0, 7)}-01`}::date`;
  const isThisMonth = sql`${days.day} >= ${month} and ${days.day} < ${month} + interval '1 month'`;
  const [row] = await db
    .select({
      total: sql`coalesce(sum(${days.added}), 0)`.mapWith(Number),
      thisMonth: sql`coalesce(sum(${days.added}) filter (where ${isThisMonth}), 0)`.mapWith(Number),
      daysActive: count(),
    })
    .from(days);
  return row ?? { total: 0, thisMonth: 0, daysActive: 0 };
}

/** Of pets that have memories. */
export async function countMemoriesByPet(db: Db, ownerId: string): Promise<MemoryPetCounts> {
  // In the same pass: a query for each pet would read all newer memories of the others.
  const savedCaricatures = db
    .select({ id: caricatures.savedMemoryId })
    .from(caricatures)
    .where(and(eq(caricatures.ownerId, ownerId), isNotNull(caricatures.savedMemoryId)));
  // A drawing is a pet's face only if there is no photo.
  const photosFirst = sql`${memories.id} in ${savedCaricatures}, ${memories.createdAt} desc, ${memories.id} desc`;
  const newestImageId = sql<string>`(array_agg(${memories.imageId} order by ${photosFirst}))[1]`;
  const rows = await db
    .select({ petId: memories.petId, count: count(), newestImageId })
    .from(memories)
    .where(and(isMemoryOf(ownerId), isNotNull(memories.petId)))
    .groupBy(memories.petId);
  return rows.flatMap(({ petId, count, newestImageId }) =>
    petId === null ? [] : [{ petId, count, newestImageUrl: `/objects/${newestImageId}` }],
  );
}

/** Newest first. The time zone is used for `added` only: the dates of `taken` have none. */
export function listMonths(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  { order, timeZone }: { order: MemoryOrder; timeZone: string },
): Promise<MonthRow[]> {
  return withTimeZone(timeZone, (zone) =>
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
  const toInstant = (localTime: SQLWrapper) => sql`(${localTime} at time zone ${timeZone}::text)`;
  // Where clocks go back at midnight (Havana, 1 November), midnight occurs twice; the month ends at the first.
  const monthEnd = sql`least(${toInstant(end)}, ${toInstant(sql`(${end} - interval '1 hour')`)} + interval '1 hour')`;
  const rows = await db
    .select({
      month: monthName(months.start),
      count: count(),
      lastInstant: sql`${monthEnd} - interval '1 ms'`.mapWith(memories.createdAt),
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

/** Sorts before every row of the same time. */
const LAST = { createdAt: new Date('9999-12-31T23:59:59.999Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const monthName = (start: SQLWrapper) => sql<string>`to_char(${start}, 'YYYY-MM')`;

/** Falls back to UTC for a time zone that the browser knows and Postgres does not. */
async function withTimeZone<Result>(
  timeZone: string,
  query: (zone: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await query(timeZone);
  } catch (error) {
    if (!isUnknownTimeZone(error)) throw error;
    return query('UTC');
  }
}
