import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { MemoryOrder } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import type { Db } from '../../platform/db/database.ts';
import { prepared, param, opaqueParam, literal } from '../../platform/db/prepared.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import type { MemoryCursor } from './memory-cursor.ts';
import {
  hasFilters,
  isMemoryOf,
  type MemoryFilters,
  type PlaceholderFilters,
} from './memory-filter-queries.ts';
import { presented, presentedJson } from './memory-json-queries.ts';
import { ALL, orderings } from './memory-list-queries.ts';

/**
 * Newest first; after the cursor, and at most so many, when given: a JSON text of `Memory[]`, and while there is more,
 * the place where that begins.
 */
export async function listMemories(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  {
    order,
    after,
    limit = ALL,
  }: { order: MemoryOrder; after: MemoryCursor | null; limit: number | undefined },
): Promise<{ json: string; next: MemoryCursor | null }> {
  const shape = shapeOf(filters, order, after, limit);
  const values = { ...filters, ...after, createdAt: after?.createdAt.toISOString() };
  const words = Object.fromEntries(filters.words?.map((word, index) => [wordName(index), word]) ?? []);
  // One more, which tells whether there are others.
  const [page] = await pageStatement(db, shape).execute({
    ...values,
    ...words,
    ownerId,
    limit,
    oneMore: limit + 1,
  });
  if (!page) throw new Error('The page was not returned');
  const { json, hasMore, ...last } = page;
  return { json, next: hasMore ? last : null };
}

/** What a list's statement depends on; all else are its values. */
type Shape = {
  order: MemoryOrder;
  isAfter: boolean;
  words: number;
  hasPet: boolean;
  hasIds: boolean;
  /** Whether it is as long as our own client's pages are. */
  isUsual: boolean;
};

function shapeOf(
  { words, petId, ids }: MemoryFilters,
  order: MemoryOrder,
  after: MemoryCursor | null,
  limit: number,
): Shape {
  return {
    order,
    isAfter: after !== null,
    words: words?.length ?? 0,
    hasPet: petId !== undefined,
    hasIds: ids !== undefined,
    isUsual: limit === PAGE_SIZE,
  };
}

const wordName = (index: number) => `word${index}`;

const pageStatement = prepared((db, shape: Shape) => {
  const { order, isAfter, words, hasPet, hasIds, isUsual } = shape;
  const filters = {
    words: Array.from({ length: words }, (_, index) => sql.placeholder(wordName(index))),
    petId: hasPet ? sql.placeholder('petId') : undefined,
    ids: hasIds ? sql.placeholder('ids') : undefined,
  };
  // How many match a filter decides on the way to them; the whole album is always read along its index.
  if (hasFilters(filters)) return selectPage(db, shape, filters).prepare('');
  return selectPage(db, shape, filters).prepare(
    `page_${order}_${isAfter ? 'after' : 'start'}_${isUsual ? PAGE_SIZE : 'any'}`,
  );
});

function selectPage(db: Db, { order, isAfter, isUsual }: Shape, filters: PlaceholderFilters) {
  const isPlannedOnce = isUsual && !hasFilters(filters);
  const value = isPlannedOnce ? opaqueParam : param;
  const limit = isPlannedOnce ? literal(PAGE_SIZE) : sql.placeholder('limit');
  const oneMore = isPlannedOnce ? literal(PAGE_SIZE + 1) : sql.placeholder('oneMore');
  const ordering = sql.join(orderings[order], sql`, `);
  const isAsked = and(
    isMemoryOf(value('ownerId', 'uuid'), filters),
    isAfter ? isAfterCursor[order](value) : undefined,
  );
  // What matches may be most of an album, and a page is a hundred: first its ids, most often from indexes alone.
  const ids = db.select({ id: memories.id }).from(memories).where(isAsked).orderBy(ordering).limit(oneMore);
  const listed = db
    .select({
      id: memories.id,
      createdAt: memories.createdAt,
      takenAt: memories.takenAt,
      json: presentedJson.as('json'),
      nth: sql`row_number() over (order by ${ordering})`.as('nth'),
    })
    .from(memories)
    .innerJoin(images, eq(images.id, memories.imageId))
    .crossJoinLateral(presented)
    .where(hasFilters(filters) ? inArray(memories.id, ids) : isAsked)
    .orderBy(ordering)
    .limit(oneMore)
    .as('listed');
  const isOnPage = sql`${listed.nth} <= ${limit}`;
  const isLast = sql`${listed.nth} = ${limit}`;
  return db
    .select({
      // In the order in which the rows come in.
      json: sql<string>`'[' || coalesce(string_agg(${listed.json}, ',') filter (where ${isOnPage}), '') || ']'`,
      hasMore: sql<boolean>`count(*) > ${limit}`,
      id: sql<string>`max(${listed.id}::text) filter (where ${isLast})`,
      createdAt: sql`max(${listed.createdAt}) filter (where ${isLast})`.mapWith(memories.createdAt),
      takenAt: sql`max(${listed.takenAt}) filter (where ${isLast})`.mapWith(memories.takenAt),
    })
    .from(listed);
}

/** A comparison of whole rows is a range of the order's index; one of columns joined by "or" is not. */
const isAfterCursor: Record<MemoryOrder, (value: typeof param) => SQL> = {
  added: (value) =>
    sql`(${memories.createdAt}, ${memories.id}) < (${value('createdAt', 'timestamptz')}, ${value('id', 'uuid')})`,
  taken: (value) => sql`(${memories.takenAt}, ${memories.createdAt}, ${memories.id})
    < (${value('takenAt', 'timestamp')}, ${value('createdAt', 'timestamptz')}, ${value('id', 'uuid')})`,
};
