import { and, eq, inArray, sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isCalendarDate } from '#shared/dates/calendar-date';
import type { Memory, MemoryOrder } from '#shared/album/memory';
import { PAGE_SIZE } from '#shared/api/pagination';
import type { Db } from '../../../platform/db/database.ts';
import { fitsOnPage, pageColumns } from '../../../platform/db/page-columns.ts';
import { prepared, param, opaqueParam, literal } from '../../../platform/db/prepared.ts';
import { images } from '../../../platform/db/schema/album/images.ts';
import { memories } from '../../../platform/db/schema/album/memories.ts';
import {
  CursorInstant,
  defineCursor,
  MAX_PAGE_BYTES,
  MAX_PAGE_ROWS,
  type CursorCodec,
  type ListPage,
} from '../../../platform/pagination.ts';
import {
  hasFilters,
  isMemoryOf,
  orderings,
  pageTextBytes,
  type MemoryFilters,
  type PlaceholderFilters,
} from '../memory-queries.ts';
import { isPeriod, type SearchTerm } from '../../search/search-term-queries.ts';

export type MemoryCursor = {
  /** Local time, `YYYY-MM-DD HH:mm:ss`; null in the order of adding. */
  takenAt: string | null;
  createdAt: Date;
  id: string;
};

const LocalTime = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  z.refine((time) => isCalendarDate(time.slice(0, 10))),
);

/** Each starts with its order, so that a cursor of the other order is rejected. */
export const memoryCursors: Record<MemoryOrder, CursorCodec<MemoryCursor, MemoryCursor>> = {
  added: defineCursor(
    z.tuple([z.literal('added'), CursorInstant, z.uuid()]),
    ({ createdAt, id }) => ['added', createdAt.getTime(), id],
    ([, instant, id]) => ({ takenAt: null, createdAt: new Date(instant), id }),
  ),
  taken: defineCursor(
    z.tuple([z.literal('taken'), LocalTime, CursorInstant, z.uuid()]),
    ({ takenAt, createdAt, id }) => ['taken', takenAt ?? '', createdAt.getTime(), id],
    ([, takenAt, instant, id]) => ({ takenAt, createdAt: new Date(instant), id }),
  ),
};

/**
 * Newest first. Returns the JSON texts of memories, separated by commas, and the cursor of the next page if there is one. A page is
 * shorter than its limit when it has more text than a page may have.
 */
export async function listMemories(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  {
    order,
    after,
    limit = MAX_PAGE_ROWS,
  }: { order: MemoryOrder; after: MemoryCursor | null; limit: number | undefined },
): Promise<ListPage<MemoryCursor>> {
  const shape = shapeOf(filters, order, after, limit);
  const values = { ...filters, ...after, createdAt: after?.createdAt.toISOString() };
  const terms = Object.assign({}, ...(filters.searchTerms ?? []).map(toTermValues)) as Record<string, string>;
  // The extra row tells whether another page follows.
  const [page] = await pageStatement(db, shape).execute({
    ...values,
    ...terms,
    ownerId,
    limit,
    oneMore: limit + 1,
  });
  if (!page) throw new Error('The page was not returned');
  const { json, hasMore, ...last } = page;
  return { json, next: hasMore ? last : null };
}

/** Everything that changes the text of the statement. */
type Shape = {
  order: MemoryOrder;
  isAfter: boolean;
  /** How many words each period has; null for a word. */
  searchTerms: (number | null)[];
  hasPet: boolean;
  hasIds: boolean;
  isLiked: true | undefined;
  /** Whether it has the length of our client's pages. */
  isDefaultLimit: boolean;
};

function shapeOf(
  { searchTerms, petId, ids, isLiked }: MemoryFilters,
  order: MemoryOrder,
  after: MemoryCursor | null,
  limit: number,
): Shape {
  return {
    order,
    isAfter: after !== null,
    searchTerms: (searchTerms ?? []).map((term) => (isPeriod(term) ? term.words.length : null)),
    hasPet: petId !== undefined,
    hasIds: ids !== undefined,
    isLiked,
    isDefaultLimit: limit === PAGE_SIZE,
  };
}

const termName = (index: number) => `term${index}`;

function toTermValues(term: SearchTerm, index: number): Record<string, string> {
  const name = termName(index);
  if (!isPeriod(term)) return { [name]: term };
  const words = term.words.map((word, nth): [string, string] => [`${name}Word${nth}`, word]);
  return { [`${name}From`]: term.from, [`${name}To`]: term.to, ...Object.fromEntries(words) };
}

function toTermPlaceholder(words: number | null, index: number): SearchTerm<Placeholder> {
  const name = termName(index);
  if (words === null) return sql.placeholder(name);
  return {
    from: sql.placeholder(`${name}From`),
    to: sql.placeholder(`${name}To`),
    words: Array.from({ length: words }, (_, nth) => sql.placeholder(`${name}Word${nth}`)),
  };
}

const pageStatement = prepared((db, shape: Shape) => {
  const { order, isAfter, searchTerms, hasPet, hasIds, isLiked, isDefaultLimit } = shape;
  const filters = {
    searchTerms: searchTerms.map(toTermPlaceholder),
    petId: hasPet ? sql.placeholder('petId') : undefined,
    ids: hasIds ? sql.placeholder('ids') : undefined,
    isLiked,
  };
  // Unnamed with filters, since the best plan depends on their values; the whole album is always read by its index.
  if (hasFilters(filters)) return selectPage(db, shape, filters).prepare('');
  return selectPage(db, shape, filters).prepare(
    `page_${order}_${isAfter ? 'after' : 'start'}_${isDefaultLimit ? PAGE_SIZE : 'any'}`,
  );
});

function selectPage(db: Db, { order, isAfter, isDefaultLimit }: Shape, filters: PlaceholderFilters) {
  const isGenericPlan = isDefaultLimit && !hasFilters(filters);
  const value = isGenericPlan ? opaqueParam : param;
  const limit = isGenericPlan ? literal(PAGE_SIZE) : sql.placeholder('limit');
  const oneMore = isGenericPlan ? literal(PAGE_SIZE + 1) : sql.placeholder('oneMore');
  const ordering = sql.join(orderings[order], sql`, `);
  const condition = and(
    isMemoryOf(value('ownerId', 'uuid'), filters),
    isAfter ? isAfterCursor[order](value) : undefined,
  );
  // Select the ids first, usually by index-only scans: a filter may match most of the album.
  const ids = db.select({ id: memories.id }).from(memories).where(condition).orderBy(ordering).limit(oneMore);
  const listed = db
    .select({ ...listedColumns, ...pageColumns(pageTextBytes, ordering) })
    .from(memories)
    .innerJoin(images, eq(images.id, memories.imageId))
    .where(hasFilters(filters) ? inArray(memories.id, ids) : condition)
    .orderBy(ordering)
    .limit(oneMore)
    .as('listed');
  const isOnPage = and(sql`${listed.nth} <= ${limit}`, fitsOnPage(listed));
  const isFull = sql`${listed.nth} = ${limit} or ${listed.bytesBefore} + ${listed.textBytes} >= ${sql.raw(String(MAX_PAGE_BYTES))}`;
  const isLast = sql`${isOnPage} and (${isFull})`;
  return db
    .select({
      // string_agg keeps the order of its input rows. Outside of the subquery, since large texts are read here.
      json: sql<string>`coalesce(string_agg(row_to_json(presented)::text, ',') filter (where ${isOnPage}), '')`,
      hasMore: sql<boolean>`count(*) > count(*) filter (where ${isOnPage})`,
      id: sql<string>`max(${listed.id}::text) filter (where ${isLast})`,
      createdAt: sql`max(${listed.createdAt}) filter (where ${isLast})`.mapWith(memories.createdAt),
      takenAt: sql`max(${listed.takenAt}) filter (where ${isLast})`.mapWith(memories.takenAt),
    })
    .from(listed)
    .crossJoinLateral(sql`(select ${sql.join(namedFields(listed), sql`, `)}) as presented`);
}

/** A row comparison is an index range; the equivalent with "or" is not. */
const isAfterCursor: Record<MemoryOrder, (value: typeof param) => SQL> = {
  added: (value) =>
    sql`(${memories.createdAt}, ${memories.id}) < (${value('createdAt', 'timestamptz')}, ${value('id', 'uuid')})`,
  taken: (value) => sql`(${memories.takenAt}, ${memories.createdAt}, ${memories.id})
    < (${value('takenAt', 'timestamp')}, ${value('createdAt', 'timestamptz')}, ${value('id', 'uuid')})`,
};

const listedColumns = {
  id: memories.id,
  petId: memories.petId,
  imageId: memories.imageId,
  caption: memories.caption,
  tags: memories.tags,
  isLiked: memories.isLiked,
  memoryDay: memories.memoryDay,
  memoryTime: memories.memoryTime,
  dateSource: memories.dateSource,
  createdAt: memories.createdAt,
  takenAt: memories.takenAt,
  source: memories.source,
  width: images.width,
  height: images.height,
  isAnimated: images.isAnimated,
  placeholder: images.placeholder,
};

/** `presentMemory` in SQL, as fast for thousands of memories as sending the rows. A test compares the two. */
function namedFields(row: Record<keyof typeof listedColumns, SQLWrapper>): SQL[] {
  const fields: Record<keyof Memory, SQLWrapper> = {
    id: row.id,
    petId: row.petId,
    imageUrl: sql`'/objects/' || ${row.imageId}`,
    caption: row.caption,
    tags: row.tags,
    isLiked: row.isLiked,
    memoryDate: sql`${row.memoryDay} || coalesce('T' || left(${row.memoryTime}::text, 5), '')`,
    dateSource: row.dateSource,
    createdAt: sql`to_char(${row.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    source: row.source,
    width: row.width,
    height: row.height,
    isAnimated: row.isAnimated,
    placeholder: row.placeholder,
  };
  return Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
}
