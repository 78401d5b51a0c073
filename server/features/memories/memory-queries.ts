import { and, desc, eq, getTableColumns, isNull, type Placeholder, sql, type SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { MemoryOrder } from '#shared/memory';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { selectIdsByTerms } from './memory-search-queries.ts';

export type MemoryRow = typeof memories.$inferSelect &
  Pick<typeof images.$inferSelect, 'width' | 'height' | 'placeholder'>;
export type MemoryChanges = Partial<
  Pick<typeof memories.$inferSelect, 'isLiked' | 'caption' | 'tags' | 'petId' | 'memoryDay' | 'memoryTime'>
>;
export type MemoryValues = Omit<typeof memories.$inferInsert, 'id' | 'isLiked' | 'deletedAt'>;

export type MemoryFilters<Text = string, Texts = string[]> = {
  id?: Text | undefined;
  ids?: Texts | undefined;
  petId?: Text | undefined;
  /** From `parseSearchQuery`. */
  searchTerms?: Text[] | undefined;
};

/** Of a prepared statement. */
export type PlaceholderFilters = MemoryFilters<Placeholder, Placeholder>;

/** The condition for an owner's memories outside the trash. Every query that reads or changes them uses it. */
export function isMemoryOf(
  ownerId: string | SQL,
  { id, ids, petId, searchTerms = [] }: MemoryFilters | PlaceholderFilters = {},
) {
  return and(
    eq(memories.ownerId, ownerId),
    isNull(memories.deletedAt),
    id === undefined ? undefined : eq(memories.id, id),
    ids === undefined ? undefined : sql`${memories.id} = any(${sql.param(ids)}::uuid[])`,
    petId === undefined ? undefined : eq(memories.petId, petId),
    searchTerms.length === 0 ? undefined : sql`${memories.id} in (${selectIdsByTerms(ownerId, searchTerms)})`,
  );
}

/** An empty list of ids is a filter: it matches nothing. */
export function hasFilters({ searchTerms = [], ...others }: MemoryFilters | PlaceholderFilters): boolean {
  return searchTerms.length > 0 || Object.values(others).some((filter) => filter !== undefined);
}

export const memoryColumns = {
  ...getTableColumns(memories),
  width: images.width,
  height: images.height,
  placeholder: images.placeholder,
};

/** Null when it does not exist, is in the trash or belongs to another owner. */
export async function findMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow | null> {
  const [row] = await selectMemories(db).where(isMemoryOf(ownerId, { id }));
  return row ?? null;
}

export async function getMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow> {
  const memory = await findMemory(db, ownerId, id);
  if (!memory) throw new NotFoundError();
  return memory;
}

export async function insertMemory(tx: Tx, memory: MemoryValues) {
  const [row] = await tx
    .insert(memories)
    .values({ id: uuidv7(), ...memory })
    .returning();
  if (!row) throw new Error('The new memory was not returned');
  return row;
}

/** Building it would cost a like as much time as the rest of its request. */
const updateStatement = prepared((db: Db | Tx, fields: (keyof MemoryChanges)[]) =>
  db
    .update(memories)
    .set(Object.fromEntries(fields.map((field) => [field, sql.placeholder(field)])))
    .from(images)
    .where(
      and(
        isMemoryOf(sql`${sql.placeholder('ownerId')}`, { id: sql.placeholder('id') }),
        eq(images.id, memories.imageId),
      ),
    )
    .returning(memoryColumns)
    .prepare(`update_memory_${fields.join('_')}`),
);

/** Returns the updated row. @throws NotFoundError like `findMemory` returns null */
export async function updateMemory(
  db: Db | Tx,
  ownerId: string,
  id: string,
  changes: MemoryChanges,
): Promise<MemoryRow> {
  const fields = (Object.keys(changes) as (keyof MemoryChanges)[]).toSorted();
  if (fields.length === 0) return getMemory(db, ownerId, id);
  const [row] = await updateStatement(db, fields).execute({ ...changes, ownerId, id });
  if (!row) throw new NotFoundError();
  return row;
}

export function selectMemories(db: Db | Tx) {
  return db.select(memoryColumns).from(memories).innerJoin(images, eq(images.id, memories.imageId));
}

export const orderings: Record<MemoryOrder, SQL[]> = {
  added: [desc(memories.createdAt), desc(memories.id)],
  taken: [desc(memories.takenAt), desc(memories.createdAt), desc(memories.id)],
};

export function findMemories(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  order: MemoryOrder,
): Promise<MemoryRow[]> {
  return selectMemories(db)
    .where(isMemoryOf(ownerId, filters))
    .orderBy(...orderings[order]);
}

export async function listMemoryIds(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  order: MemoryOrder,
): Promise<string[]> {
  const rows = await db
    .select({ id: memories.id })
    .from(memories)
    .where(isMemoryOf(ownerId, filters))
    .orderBy(...orderings[order]);
  return rows.map((row) => row.id);
}
