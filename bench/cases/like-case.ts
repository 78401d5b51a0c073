import { jsonAnswer } from '../floor/floor-context.ts';
import { MEMORY_COLUMNS, toMemory, type MemoryRow } from '../floor/memory-sql.ts';
import type { BenchCase } from './bench-case.ts';

/** One statement, which is a transaction of its own. */
const LIKE = `
  update memories m set is_liked = $3 from images i
  where m.owner_id = $1 and m.deleted_at is null and m.id = $2 and i.id = m.image_id
  returning ${MEMORY_COLUMNS}`;

export const likeCase: BenchCase = {
  name: 'PATCH like',
  target: 0.5,
  requests: ({ memoryIds }) =>
    [true, false].flatMap((isLiked) =>
      memoryIds.map((id) => ({
        method: 'PATCH' as const,
        path: `/api/memories/${id}`,
        json: { isLiked },
      })),
    ),
  async floor({ pool, user, path, json }) {
    const id = path.slice('/api/memories/'.length);
    const { isLiked } = json as { isLiked: boolean };
    const { rows } = await pool.query<MemoryRow>(LIKE, [user.id, id, isLiked]);
    return jsonAnswer(toMemory(rows[0] as MemoryRow));
  },
};
