import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { durationInWords } from '../duration-in-words.ts';
import { TooManyRequestsError } from '../errors.ts';
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
import type { CaricatureRow } from './caricature-queries.ts';

/** Longer than anything is drawn. */
const KEPT_FOR_MS = 48 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'caricatureArtist'>;
type Counted = Pick<CaricatureRow, 'countedDay' | 'countedMonth'>;

/**
 * Counts one more caricature of this account. Days and months are UTC's for everybody: whoever travels, or says so, gets
 * no second day. Only an artist who is paid is counted for the whole installation.
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
      `That was today's last caricature. Please come back in ${durationInWords(seconds)}.`,
      seconds,
    );
  }
  if (!isOutside(context)) return { countedDay: day, countedMonth: null };
  const month = monthOf(now);
  if (!(await countMonth(tx, month, caricaturesPerMonth))) {
    throw new TooManyRequestsError(
      'All caricatures of this month have been drawn. Please come back next month.',
      secondsUntil(now, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
    );
  }
  return { countedDay: day, countedMonth: month };
}

/** What did not come true costs nothing. */
export async function giveCaricatureBack(
  tx: Tx,
  { ownerId, countedDay, countedMonth }: Counted & { ownerId: string },
): Promise<void> {
  await giveDayBack(tx, { ownerId, day: countedDay });
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
