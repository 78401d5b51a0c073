import { COMMON_WORD, RARE_WORD } from '../facts.ts';
import { MEMORIES, NEWEST_FIRST, pageAnswer, type MemoryRow } from '../floor/memory-sql.ts';
import type { BenchCase } from './bench-case.ts';

const LIMIT = 100;

/** The app's own way: first the ids, by the words' index. */
const BY_WORDS = `
  ${MEMORIES} and m.id in (
    select s.id from memories s
    where s.owner_id = $1 and s.deleted_at is null and s.id in (
      select memory_id from memory_words where owner_id = $1 and word >= $2 and word < $3
    )
    order by s.created_at desc, s.id desc limit $4
  )
  ${NEWEST_FIRST} limit $4`;

/** Without an index of words: each of the owner's memories is read, as far as the owner's own index leads. */
const BY_SCAN = `
  ${MEMORIES} and (
    m.caption ilike $2 or array_to_string(m.tags, ' ') ilike $2
    or exists (select from pets p where p.id = m.pet_id and p.name ilike $2)
  )
  ${NEWEST_FIRST} limit $3`;

const requests = (word: string) => () => [{ path: `/api/memories/search?q=${word}&limit=${LIMIT}` }];

function byWords(word: string): BenchCase['floor'] {
  return async ({ pool, user }) => {
    const values = [user.id, word, `${word}\u{10FFFF}`, LIMIT + 1];
    const { rows } = await pool.query<MemoryRow>(BY_WORDS, values);
    return pageAnswer(rows, LIMIT);
  };
}

function byScan(word: string): BenchCase['floor'] {
  return async ({ pool, user }) => {
    const { rows } = await pool.query<MemoryRow>(BY_SCAN, [user.id, `%${word}%`, LIMIT + 1]);
    return pageAnswer(rows, LIMIT);
  };
}

export const searchCases: BenchCase[] = [
  {
    name: 'Search, word in half the rows',
    target: 0.8,
    requests: requests(COMMON_WORD),
    floor: byWords(COMMON_WORD),
  },
  { name: 'Search, word in one row', target: null, requests: requests(RARE_WORD), floor: byWords(RARE_WORD) },
  {
    name: 'The same, beside an unindexed scan',
    target: 3,
    requests: requests(RARE_WORD),
    floor: byScan(RARE_WORD),
  },
];
