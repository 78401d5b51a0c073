import { MEMORIES, NEWEST_FIRST, pageResponse, type MemoryRow } from '../baseline/memory-sql.ts';
import type { BenchCase } from './bench-case.ts';

const LIST = `${MEMORIES} ${NEWEST_FIRST} limit $2`;

function listCase(limit: number, target: number): BenchCase {
  return {
    name: `List of ${limit.toLocaleString('en')}`,
    target,
    requests: () => [{ path: `/api/memories?limit=${limit}` }],
    async baseline({ pool, user }) {
      const { rows } = await pool.query<MemoryRow>(LIST, [user.id, limit + 1]);
      return pageResponse(rows, limit);
    },
  };
}

export const listCases: BenchCase[] = [listCase(100, 0.8), listCase(1000, 1)];
