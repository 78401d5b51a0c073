import { and, asc, desc, isNotNull, isNull, sql } from 'drizzle-orm';
import type { CalendarDate } from '#shared/dates/calendar-date';
import type { Db } from '../../../platform/db/database.ts';
import { memories } from '../../../platform/db/schema/album/memories.ts';
import { isMemoryOf, orderings, type MemoryFilters } from '../memory-queries.ts';

/** Of one day, so that a day with thousands of photos costs no more than others. */
const MAX_OF_ONE_DAY = 50;

/** Of all these days the latest, and a loved one of that day first. Each day is a range of the index by date. */
export async function findDatedOn(
  db: Db,
  ownerId: string,
  days: CalendarDate[],
): Promise<{ id: string; day: CalendarDate } | null> {
  const day = sql`day.day`;
  const ofDay = db
    .select({ id: memories.id, isLiked: memories.isLiked })
    .from(memories)
    .where(
      and(
        isMemoryOf(ownerId),
        isNotNull(memories.memoryDay),
        isNull(memories.dismissedAt),
        sql`${memories.takenAt} >= ${day} and ${memories.takenAt} < ${day} + interval '1 day'`,
      ),
    )
    .orderBy(...orderings.taken)
    .limit(MAX_OF_ONE_DAY)
    .as('of_day');
  const [found] = await db
    .select({ id: ofDay.id, day: sql<CalendarDate>`${day}::date::text` })
    .from(sql`unnest(${sql.param(days)}::timestamp[]) as day(day)`)
    .crossJoinLateral(ofDay)
    .orderBy(sql`${day} desc`, desc(ofDay.isLiked), asc(ofDay.id))
    .limit(1);
  return found ?? null;
}

/**
 * One of the `max` last added: the first by a hash of the day and its id, which differs each day, and stays the first of the day
 * unless an added one comes before it.
 */
export async function findOneOfLast(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  { max, day }: { max: number; day: CalendarDate },
): Promise<string | null> {
  const last = db
    .select({ id: memories.id })
    .from(memories)
    .where(and(isMemoryOf(ownerId, filters), isNull(memories.dismissedAt)))
    .orderBy(...orderings.added)
    .limit(max)
    .as('last');
  const [found] = await db
    .select({ id: last.id })
    .from(last)
    .orderBy(sql`md5(${day}::text || ${last.id}::text)`)
    .limit(1);
  return found?.id ?? null;
}

/** @returns whether the memory exists */
export async function markDismissed(db: Db, ownerId: string, id: string, now: Date): Promise<boolean> {
  const dismissed = await db
    .update(memories)
    .set({ dismissedAt: now })
    .where(isMemoryOf(ownerId, { id }))
    .returning({ id: memories.id });
  return dismissed.length > 0;
}
