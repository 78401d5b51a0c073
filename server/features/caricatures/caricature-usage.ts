import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { formatDuration } from '../../platform/time/format-duration.ts';
import { TooManyRequestsError } from '../../platform/errors.ts';
import {
  countDay,
  countMonth,
  deleteDaysBefore,
  findUsedOfDay,
  findUsedOfMonth,
  refundDay,
  refundMonth,
} from './caricature-usage-queries.ts';
import { lockCaricatureWithoutImage, setCountedMonth, type CaricatureRow } from './caricature-queries.ts';

/** Refunds arrive within minutes. */
const USAGE_RETENTION_MS = 48 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'caricatureGenerator'>;
type Counted = Pick<CaricatureRow, 'countedDay' | 'countedMonth'>;

export function isGeneratorExternal({
  caricatureGenerator,
}: Pick<AppContext, 'caricatureGenerator'>): boolean {
  return caricatureGenerator.service !== null;
}

/** Days and months are UTC, so that a changed time zone adds no quota. */
export async function countCaricature(context: Context, tx: Tx, ownerId: string): Promise<Counted> {
  const { caricaturesPerDay, caricaturesPerMonth } = context.config.limits;
  const now = context.clock.now();
  const day = toDay(now);
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
  if (!isGeneratorExternal(context)) return { countedDay: day, countedMonth: null };
  const month = toMonth(now);
  if (!(await countMonth(tx, month, caricaturesPerMonth))) {
    throw new TooManyRequestsError(
      'This month’s caricatures are used up. Please try again next month.',
      secondsUntil(now, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
    );
  }
  return { countedDay: day, countedMonth: month };
}

/** Counts the call before it is made, in case the worker is killed. Null when it must not be made. */
export async function spendCall(
  context: Context,
  { ownerId, id }: Pick<CaricatureRow, 'ownerId' | 'id'>,
): Promise<{ month: string | null } | null> {
  if (!isGeneratorExternal(context)) return { month: null };
  const { config, db, clock } = context;
  return db.transaction(async (tx) => {
    const caricature = await lockCaricatureWithoutImage(tx, ownerId, id);
    if (caricature?.status !== 'generating') return null;
    if (caricature.countedMonth) {
      await setCountedMonth(tx, caricature, null);
      return { month: caricature.countedMonth };
    }
    const month = toMonth(clock.now());
    return (await countMonth(tx, month, config.limits.caricaturesPerMonth)) ? { month } : null;
  });
}

/** Saves the refunded call for the next attempt, or returns it to the month if the caricature has ended. */
export async function refundCall(
  { db }: Pick<Context, 'db'>,
  caricature: Pick<CaricatureRow, 'ownerId' | 'id'>,
  month: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await setCountedMonth(tx, caricature, month))) await refundMonth(tx, month);
  });
}

/**
 * Refunds a failed caricature, unless a call for it may have been charged: otherwise one account could repeat a photo that the
 * service declines until the month is used up.
 */
export async function refundCaricature(
  tx: Tx,
  { ownerId, generator, countedDay, countedMonth }: Counted & Pick<CaricatureRow, 'ownerId' | 'generator'>,
): Promise<void> {
  if (generator === 'local' || countedMonth) await refundDay(tx, { ownerId, day: countedDay });
  await refundNextCall(tx, { countedMonth });
}

export async function refundNextCall(tx: Tx, { countedMonth }: Pick<Counted, 'countedMonth'>): Promise<void> {
  if (countedMonth) await refundMonth(tx, countedMonth);
}

export async function deleteOldUsage({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteDaysBefore(db, toDay(new Date(clock.now().getTime() - USAGE_RETENTION_MS)));
}

export async function remainingCaricatures(context: Context, ownerId: string): Promise<number> {
  const { config, db, clock } = context;
  const { caricaturesPerDay, caricaturesPerMonth } = config.limits;
  const now = clock.now();
  const leftToday = caricaturesPerDay - (await findUsedOfDay(db, { ownerId, day: toDay(now) }));
  const leftThisMonth = isGeneratorExternal(context)
    ? caricaturesPerMonth - (await findUsedOfMonth(db, toMonth(now)))
    : Infinity;
  return Math.max(0, Math.min(leftToday, leftThisMonth));
}

const toDay = (now: Date) => now.toISOString().slice(0, 10);
const toMonth = (now: Date) => `${now.toISOString().slice(0, 7)}-01`;
const secondsUntil = (now: Date, instant: number) => Math.max(1, Math.ceil((instant - now.getTime()) / 1000));
