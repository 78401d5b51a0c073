import { COMMON_WORD, RARE_WORD } from '../data/bench-data.ts';
import type { BaselineContext } from '../baseline/baseline-context.ts';
import { MEMORIES, NEWEST_FIRST, pageResponse, type MemoryRow } from '../baseline/memory-sql.ts';
import type { BenchCase } from './bench-case.ts';

const LIMIT = 100;

/** Like the app: first the ids, by the index of search terms. */
const BY_TERM = `
  ${MEMORIES} and m.id in (
    select s.id from memories s
    where s.owner_id = $1 and s.deleted_at is null and s.id in (
      select memory_id from memory_search_terms where owner_id = $1 and term >= $2 and term < $3
    )
    order by s.created_at desc, s.id desc limit $4
  )
  ${NEWEST_FIRST} limit $4`;

/** Without search terms: scans all memories of the owner. */
const BY_SCAN = `
  ${MEMORIES} and (
    m.caption ilike $2 or array_to_string(m.tags, ' ') ilike $2
    or exists (select from pets p where p.id = m.pet_id and p.name ilike $2)
  )
  ${NEWEST_FIRST} limit $3`;

const requests = (word: string) => () => [{ path: `/api/memories/search?q=${word}&limit=${LIMIT}` }];

function byTerm(word: string) {
  return async ({ pool, user }: BaselineContext) => {
    const values = [user.id, word, `${word}\u{10FFFF}`, LIMIT + 1];
    const { rows } = await pool.query<MemoryRow>(BY_TERM, values);
    return pageResponse(rows, LIMIT);
  };
}

function byScan(word: string) {
  return async ({ pool, user }: BaselineContext) => {
    const { rows } = await pool.query<MemoryRow>(BY_SCAN, [user.id, `%${word}%`, LIMIT + 1]);
    return pageResponse(rows, LIMIT);
  };
}

export const searchCases: BenchCase[] = [
  {
    name: 'Search, term in half the rows',
    target: 0.8,
    requests: requests(COMMON_WORD),
    baseline: byTerm(COMMON_WORD),
  },
  {
    name: 'Search, term in one row',
    target: null,
    requests: requests(RARE_WORD),
    baseline: byTerm(RARE_WORD),
  },
  {
    name: 'The same, compared to a scan',
    target: 3,
    requests: requests(RARE_WORD),
    baseline: byScan(RARE_WORD),
  },
];
