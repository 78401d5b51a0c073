import { jsonResponse } from '../baseline/baseline-context.ts';
import { MEMORY_COLUMNS, toMemory, type MemoryRow } from '../baseline/memory-sql.ts';
import type { BenchCase } from './bench-case.ts';

const LIKE = `
  update memories m set is_liked = $3 from images i
  where m.owner_id = $1 and m.deleted_at is null and m.id = $2 and i.id = m.image_id
  returning ${MEMORY_COLUMNS}`;

export const likeCase: BenchCase = {
  name: 'PATCH like',
  target: 0.8,
  requests: ({ memoryIds }) =>
    [true, false].flatMap((isLiked) =>
      memoryIds.map((id) => ({
        method: 'PATCH' as const,
        path: `/api/memories/${id}`,
        json: { isLiked },
      })),
    ),
  async baseline({ pool, user, path, json }) {
    const id = path.slice('/api/memories/'.length);
    const { isLiked } = json as { isLiked: boolean };
    const { rows } = await pool.query<MemoryRow>(LIKE, [user.id, id, isLiked]);
    return jsonResponse(toMemory(rows[0] as MemoryRow));
  },
};
