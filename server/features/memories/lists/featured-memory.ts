import type { FeaturedMemory } from '#shared/album/memory';
import { anniversariesOf, toCalendarDay, type CalendarDate } from '#shared/dates/calendar-date';
import type { AppContext } from '../../../platform/context.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { presentMemory } from '../memory-presenter.ts';
import { findMemory } from '../memory-queries.ts';
import { findDatedOn, findOneOfLast, markDismissed } from './featured-memory-queries.ts';

/** To hash 100,000 would take longer than a page may wait. */
const MAX_LOVED = 1000;
const MAX_RECENT = 7;

type Choice = Pick<FeaturedMemory, 'reason' | 'yearsAgo'> & { id: string };

/** The photo of today on the home page, in the owner's time zone. The same all day, unless one is added or loved that comes before it. Null without one. */
export async function findFeaturedMemory(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  ownerId: string,
  timeZone: string,
): Promise<FeaturedMemory | null> {
  const choice = await chooseFeatured({ db }, ownerId, toCalendarDay(clock.now(), timeZone));
  const row = choice && (await findMemory(db, ownerId, choice.id));
  return row && { reason: choice.reason, yearsAgo: choice.yearsAgo, memory: presentMemory(row) };
}

async function chooseFeatured(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  today: CalendarDate,
): Promise<Choice | null> {
  const dated = await findDatedOn(db, ownerId, anniversariesOf(today));
  if (dated) {
    const yearsAgo = Number(today.slice(0, 4)) - Number(dated.day.slice(0, 4));
    return { reason: 'on-this-day', yearsAgo, id: dated.id };
  }
  const loved = await findOneOfLast(db, ownerId, { isLiked: true }, { max: MAX_LOVED, day: today });
  if (loved) return { reason: 'loved', yearsAgo: null, id: loved };
  const recent = await findOneOfLast(db, ownerId, {}, { max: MAX_RECENT, day: today });
  return recent ? { reason: 'recent', yearsAgo: null, id: recent } : null;
}

/** Idempotent. It is never featured again. */
export async function dismissMemory(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<void> {
  if (!(await markDismissed(db, ownerId, id, clock.now()))) throw new NotFoundError();
}
