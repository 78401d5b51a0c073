import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { caricatureDays, caricatureMonths } from '../../platform/db/schema/album/caricatures.ts';

/** In UTC. */
type DailyUsage = { ownerId: string; day: string };

/** False when the limit is reached. A single upsert, so that concurrent calls cannot exceed it. */
export async function countDay(tx: Tx, { ownerId, day }: DailyUsage, limit: number): Promise<boolean> {
  const counted = await tx
    .insert(caricatureDays)
    .values({ ownerId, day, used: 1 })
    .onConflictDoUpdate({
      target: [caricatureDays.ownerId, caricatureDays.day],
      set: { used: sql`${caricatureDays.used} + 1` },
      setWhere: lt(caricatureDays.used, limit),
    })
    .returning({ used: caricatureDays.used });
  return counted.length > 0;
}

/** Like `countDay`, for the whole installation; `month` is its first day. */
export async function countMonth(tx: Tx, month: string, limit: number): Promise<boolean> {
  const counted = await tx
    .insert(caricatureMonths)
    .values({ month, used: 1 })
    .onConflictDoUpdate({
      target: caricatureMonths.month,
      set: { used: sql`${caricatureMonths.used} + 1` },
      setWhere: lt(caricatureMonths.used, limit),
    })
    .returning({ used: caricatureMonths.used });
  return counted.length > 0;
}

export async function refundDay(tx: Tx, { ownerId, day }: DailyUsage): Promise<void> {
  await tx
    .update(caricatureDays)
    .set({ used: sql`${caricatureDays.used} - 1` })
    .where(isDay(ownerId, day));
}

export async function refundMonth(tx: Tx, month: string): Promise<void> {
  await tx
    .update(caricatureMonths)
    .set({ used: sql`${caricatureMonths.used} - 1` })
    .where(eq(caricatureMonths.month, month));
}

export async function deleteDaysBefore(db: Db, day: string): Promise<void> {
  await db.delete(caricatureDays).where(lt(caricatureDays.day, day));
}

export async function findUsedOfDay(db: Db, { ownerId, day }: DailyUsage): Promise<number> {
  const [row] = await db.select().from(caricatureDays).where(isDay(ownerId, day));
  return row?.used ?? 0;
}

export async function findUsedOfMonth(db: Db, month: string): Promise<number> {
  const [row] = await db.select().from(caricatureMonths).where(eq(caricatureMonths.month, month));
  return row?.used ?? 0;
}

function isDay(ownerId: string, day: string) {
  return and(eq(caricatureDays.ownerId, ownerId), eq(caricatureDays.day, day));
}
