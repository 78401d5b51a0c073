import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { formatDuration } from '../../platform/format-duration.ts';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { isOutside } from './consent.ts';
import {
  countDay,
  countMonth,
  deleteDaysBefore,
  findUsedOfDay,
  findUsedOfMonth,
  giveDayBack,
  giveMonthBack,
} from './caricature-usage-queries.ts';
import { lockUndrawnCaricature, setCountedMonth, type CaricatureRow } from './caricature-queries.ts';

/** Longer than anything is drawn. */
const KEPT_FOR_MS = 48 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'caricatureArtist'>;
type Counted = Pick<CaricatureRow, 'countedDay' | 'countedMonth'>;

/**
 * Counts one more caricature of this account, and the first call for it. Days and months are UTC's for everybody: who
 * travels, or says so, gets no second day. Only calls of an artist who is paid count for the whole installation: each of
 * them, since one caricature may take several.
 * @throws TooManyRequestsError when that would be more than there may be
 */
export async function countCaricature(context: Context, tx: Tx, ownerId: string): Promise<Counted> {
  const { caricaturesPerDay, caricaturesPerMonth } = context.config.limits;
  const now = context.clock.now();
  const day = dayOf(now);
  if (!(await countDay(tx, { ownerId, day }, caricaturesPerDay))) {
    const seconds = secondsUntil(
      now,
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1),
    );
    throw new TooManyRequestsError(
      `You have used all of today’s caricatures. Please try again in ${formatDuration(seconds)}.`,
      seconds,
    );
  }
  if (!isOutside(context)) return { countedDay: day, countedMonth: null };
  const month = monthOf(now);
  if (!(await countMonth(tx, month, caricaturesPerMonth))) {
    throw new TooManyRequestsError(
      'This month’s caricatures are used up. Please try again next month.',
      secondsUntil(now, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
    );
  }
  return { countedDay: day, countedMonth: month };
}

/**
 * Takes what was counted for the caricature's next call, or counts one more. It stays spent unless `refundCall` says
 * that it was not paid: a worker that is killed in the call leaves it spent.
 * @returns the month that counts it, null for an artist who is not paid. Null in place of all that when this month has
 *   no more calls, or the caricature was given up or deleted.
 */
export async function spendCall(
  context: Context,
  { ownerId, id }: Pick<CaricatureRow, 'ownerId' | 'id'>,
): Promise<{ month: string | null } | null> {
  if (!isOutside(context)) return { month: null };
  const { config, db, clock } = context;
  return db.transaction(async (tx) => {
    const caricature = await lockUndrawnCaricature(tx, ownerId, id);
    if (caricature?.status !== 'generating') return null;
    if (caricature.countedMonth) {
      await setCountedMonth(tx, caricature, null);
      return { month: caricature.countedMonth };
    }
    const month = monthOf(clock.now());
    return (await countMonth(tx, month, config.limits.caricaturesPerMonth)) ? { month } : null;
  });
}

/** A call that was certainly not paid is there for the next attempt; for the installation, when there is none. */
export async function refundCall(
  { db }: Pick<Context, 'db'>,
  caricature: Pick<CaricatureRow, 'ownerId' | 'id'>,
  month: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await setCountedMonth(tx, caricature, month))) await giveMonthBack(tx, month);
  });
}

/** One that failed counts for no day of its owner's. The month has what was paid all the same. */
export async function refundCaricature(
  tx: Tx,
  { ownerId, countedDay, countedMonth }: Counted & { ownerId: string },
): Promise<void> {
  await giveDayBack(tx, { ownerId, day: countedDay });
  await refundNextCall(tx, { countedMonth });
}

export async function refundNextCall(tx: Tx, { countedMonth }: Pick<Counted, 'countedMonth'>): Promise<void> {
  if (countedMonth) await giveMonthBack(tx, countedMonth);
}

/** What was counted on days long over. */
export async function forgetFormerDays({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteDaysBefore(db, dayOf(new Date(clock.now().getTime() - KEPT_FOR_MS)));
}

/** How many more this account may begin today. */
export async function remainingCaricatures(context: Context, ownerId: string): Promise<number> {
  const { config, db, clock } = context;
  const { caricaturesPerDay, caricaturesPerMonth } = config.limits;
  const now = clock.now();
  const ofDay = caricaturesPerDay - (await findUsedOfDay(db, { ownerId, day: dayOf(now) }));
  const ofMonth = isOutside(context)
    ? caricaturesPerMonth - (await findUsedOfMonth(db, monthOf(now)))
    : Infinity;
  return Math.max(0, Math.min(ofDay, ofMonth));
}

const dayOf = (now: Date) => now.toISOString().slice(0, 10);
const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`;
const secondsUntil = (now: Date, instant: number) => Math.max(1, Math.ceil((instant - now.getTime()) / 1000));
