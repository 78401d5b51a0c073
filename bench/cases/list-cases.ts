import { MEMORIES, NEWEST_FIRST, pageAnswer, type MemoryRow } from '../floor/memory-sql.ts';
import type { BenchCase } from './bench-case.ts';

const LIST = `${MEMORIES} ${NEWEST_FIRST} limit $2`;

function listCase(limit: number, target: number): BenchCase {
  return {
    name: `List of ${limit.toLocaleString('en')}`,
    target,
    requests: () => [{ path: `/api/memories?limit=${limit}` }],
    async floor({ pool, user }) {
      const { rows } = await pool.query<MemoryRow>(LIST, [user.id, limit + 1]);
      return pageAnswer(rows, limit);
    },
  };
}

export const listCases: BenchCase[] = [listCase(100, 0.8), listCase(1000, 1)];
