import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { MemoryOrder } from '#shared/memory';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { images } from '../db/schema/images.ts';
import { memories } from '../db/schema/memories.ts';
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
  const shape = shapeOf(filters, order, after);
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
type Shape = { order: MemoryOrder; isAfter: boolean; words: number; hasPet: boolean; hasIds: boolean };

function shapeOf(
  { words, petId, ids }: MemoryFilters,
  order: MemoryOrder,
  after: MemoryCursor | null,
): Shape {
  return {
    order,
    isAfter: after !== null,
    words: words?.length ?? 0,
    hasPet: petId !== undefined,
    hasIds: ids !== undefined,
  };
}

const wordName = (index: number) => `word${index}`;

const pageStatement = prepared((db, shape: Shape) => {
  const { order, isAfter, words, hasPet, hasIds } = shape;
  const filters = {
    words: Array.from({ length: words }, (_, index) => sql.placeholder(wordName(index))),
    petId: hasPet ? sql.placeholder('petId') : undefined,
    ids: hasIds ? sql.placeholder('ids') : undefined,
  };
  // How many match a filter decides on the way to them; the whole album is always read along its index.
  const name = hasFilters(filters) ? '' : `list_${order}_${isAfter ? 'after' : 'start'}`;
  return selectPage(db, order, isAfter, filters).prepare(name);
});

function selectPage(db: Db, order: MemoryOrder, isAfter: boolean, filters: PlaceholderFilters) {
  const limit = sql.placeholder('limit');
  const oneMore = sql.placeholder('oneMore');
  const ordering = sql.join(orderings[order], sql`, `);
  const isAsked = and(
    isMemoryOf(sql.placeholder('ownerId'), filters),
    isAfter ? isAfterCursor[order] : undefined,
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

const added = sql`${sql.placeholder('createdAt')}::timestamptz, ${sql.placeholder('id')}::uuid`;

/** A comparison of whole rows is a range of the order's index; one of columns joined by "or" is not. */
const isAfterCursor: Record<MemoryOrder, SQL> = {
  added: sql`(${memories.createdAt}, ${memories.id}) < (${added})`,
  taken: sql`(${memories.takenAt}, ${memories.createdAt}, ${memories.id}) < (${sql.placeholder('takenAt')}::timestamp, ${added})`,
};
