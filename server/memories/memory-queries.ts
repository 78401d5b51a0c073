import { and, count, desc, eq, getTableColumns, lt, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { MemoryStats } from '#shared/memory';
import type { Cursor } from '../db/cursor.ts';
import { isUnknownTimeZone } from '../db/database-errors.ts';
import type { Db, Tx } from '../db/database.ts';
import { images } from '../db/schema/images.ts';
import { memories } from '../db/schema/memories.ts';
import { NotFoundError } from '../errors.ts';

/** A memory with what its picture's tile needs. */
export type MemoryRow = typeof memories.$inferSelect & { image: ImageSummary };
export type ImageSummary = Pick<typeof images.$inferSelect, 'width' | 'height' | 'placeholder'>;
/** What an owner may change. */
export type MemoryChanges = Partial<
  Pick<typeof memories.$inferSelect, 'isLiked' | 'caption' | 'tags' | 'petId' | 'memoryDay' | 'memoryTime'>
>;
export type NewMemory = Omit<typeof memories.$inferInsert, 'id' | 'isLiked'>;

const memoryColumns = {
  ...getTableColumns(memories),
  image: { width: images.width, height: images.height, placeholder: images.placeholder },
};

/** @throws NotFoundError when it is not there or not this owner's */
export async function getMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow> {
  const [row] = await selectMemories(db).where(and(eq(memories.id, id), eq(memories.ownerId, ownerId)));
  if (!row) throw new NotFoundError();
  return row;
}

/** Newest first; after the cursor, and at most so many, when given. */
export function listMemories(
  db: Db | Tx,
  ownerId: string,
  page: { after: Cursor | null; atMost: number | undefined },
): Promise<MemoryRow[]> {
  const query = selectMemories(db)
    .where(and(eq(memories.ownerId, ownerId), page.after ? isAfter(page.after) : undefined))
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .$dynamic();
  return page.atMost === undefined ? query : query.limit(page.atMost);
}

function isAfter({ createdAt, id }: Cursor) {
  return or(lt(memories.createdAt, createdAt), and(eq(memories.createdAt, createdAt), lt(memories.id, id)));
}

export async function insertMemory(tx: Tx, memory: NewMemory) {
  const [row] = await tx
    .insert(memories)
    .values({ id: uuidv7(), ...memory })
    .returning();
  if (!row) throw new Error('The new memory was not returned');
  return row;
}

/** Changes nothing when it is not there or not this owner's. */
export async function updateMemory(
  tx: Tx,
  ownerId: string,
  id: string,
  changes: MemoryChanges,
): Promise<void> {
  await tx
    .update(memories)
    .set(changes)
    .where(and(eq(memories.id, id), eq(memories.ownerId, ownerId)));
}

/** Days and months as they begin in the given zone, an IANA name; one that Postgres does not know counts as UTC. */
export async function countMemories(
  db: Db,
  ownerId: string,
  when: { now: Date; timeZone: string },
): Promise<MemoryStats> {
  try {
    return await countMemoriesIn(db, ownerId, when);
  } catch (error) {
    if (!isUnknownTimeZone(error)) throw error;
    return countMemoriesIn(db, ownerId, { ...when, timeZone: 'UTC' });
  }
}

async function countMemoriesIn(db: Db, ownerId: string, { now, timeZone }: { now: Date; timeZone: string }) {
  const localTime = sql`(${memories.createdAt} at time zone ${timeZone}::text)`;
  const thisMonth = sql`date_trunc('month', ${now.toISOString()}::timestamptz at time zone ${timeZone}::text)`;
  const [row] = await db
    .select({
      total: count(),
      thisMonth: sql<number>`(count(*) filter (where date_trunc('month', ${localTime}) = ${thisMonth}))::int`,
      daysActive: sql<number>`count(distinct ${localTime}::date)::int`,
    })
    .from(memories)
    .where(eq(memories.ownerId, ownerId));
  return row ?? { total: 0, thisMonth: 0, daysActive: 0 };
}

function selectMemories(db: Db | Tx) {
  return db.select(memoryColumns).from(memories).innerJoin(images, eq(images.id, memories.imageId));
}
