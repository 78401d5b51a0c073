import { and, desc, eq, inArray, type Placeholder, sql, type SQL } from 'drizzle-orm';
import type { MemoryOrder } from '#shared/memory';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { images } from '../db/schema/images.ts';
import { memories } from '../db/schema/memories.ts';
import type { MemoryCursor } from './memory-cursor.ts';
import { hasFilters, isMemoryOf, type MemoryFilters } from './memory-filter-queries.ts';
import { presented, presentedJson } from './memory-json-queries.ts';
import { selectMemories, type MemoryRow } from './memory-queries.ts';

/** More than there can be. */
export const ALL = Number.MAX_SAFE_INTEGER;

const orderings: Record<MemoryOrder, SQL[]> = {
  added: [desc(memories.createdAt), desc(memories.id)],
  taken: [desc(memories.takenAt), desc(memories.createdAt), desc(memories.id)],
};

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
  const place = after ? 'after' : 'start';
  const query = hasFilters(filters) ? selectPage(db, order, place, filters) : wholeAlbum[order][place](db);
  // One more, which tells whether there are others.
  const [page] = await query.execute({
    ownerId,
    limit,
    oneMore: limit + 1,
    ...after,
    createdAt: after?.createdAt.toISOString(),
  });
  if (!page) throw new Error('The page was not returned');
  const { json, hasMore, ...last } = page;
  return { json, next: hasMore ? last : null };
}

type Place = 'start' | 'after';

const wholeAlbum: Record<MemoryOrder, Record<Place, ReturnType<typeof prepareWholeAlbum>>> = {
  added: { start: prepareWholeAlbum('added', 'start'), after: prepareWholeAlbum('added', 'after') },
  taken: { start: prepareWholeAlbum('taken', 'start'), after: prepareWholeAlbum('taken', 'after') },
};

function prepareWholeAlbum(order: MemoryOrder, place: Place) {
  return prepared((db) => selectPage(db, order, place, {}).prepare(`list_${order}_${place}`));
}

const [ownerId, limit, oneMore] = ['ownerId', 'limit', 'oneMore'].map(sql.placeholder) as [
  Placeholder,
  Placeholder,
  Placeholder,
];

function selectPage(db: Db, order: MemoryOrder, place: Place, filters: MemoryFilters) {
  const ordering = sql.join(orderings[order], sql`, `);
  const isAsked = and(isMemoryOf(ownerId, filters), place === 'after' ? isAfter[order] : undefined);
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

/** All that match, in the list's order, for whoever needs more of them than an answer has. */
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

/** The ids of all that match, in the list's order. */
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

const added = sql`${sql.placeholder('createdAt')}::timestamptz, ${sql.placeholder('id')}::uuid`;

/** A comparison of whole rows is a range of the order's index; one of columns joined by "or" is not. */
const isAfter: Record<MemoryOrder, SQL> = {
  added: sql`(${memories.createdAt}, ${memories.id}) < (${added})`,
  taken: sql`(${memories.takenAt}, ${memories.createdAt}, ${memories.id}) < (${sql.placeholder('takenAt')}::timestamp, ${added})`,
};
