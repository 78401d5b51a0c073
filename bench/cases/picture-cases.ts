import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FloorContext } from '../floor/floor-context.ts';
import type { BenchCase } from './bench-case.ts';

const WIDTH = 400;
const IMAGE = 'select id, object_key, content_type from images where id = $1 and owner_id = $2';

async function findImage({ pool, user, facts }: FloorContext): Promise<{ id: string }> {
  const { rows } = await pool.query<{ id: string }>(IMAGE, [facts.imageId, user.id]);
  if (!rows[0]) throw new Error('The image is not there');
  return rows[0];
}

export const pictureCases: BenchCase[] = [
  {
    name: 'Picture of 400 pixels, made before',
    target: null,
    requests: ({ imageId }) => [{ path: `/objects/${imageId}?w=${WIDTH}` }],
    async floor(context) {
      const { id } = await findImage(context);
      const body = await readFile(join(context.facts.objects, 'variants', id, `${WIDTH}.webp`));
      return { status: 200, headers: { 'Content-Type': 'image/webp', ETag: `"${id}-${WIDTH}"` }, body };
    },
  },
  {
    name: 'The same, 304',
    target: null,
    status: 304,
    requests: ({ imageId }) => [
      { path: `/objects/${imageId}?w=${WIDTH}`, headers: { 'If-None-Match': `"${imageId}-${WIDTH}"` } },
    ],
    async floor(context) {
      const { id } = await findImage(context);
      return { status: 304, headers: { ETag: `"${id}-${WIDTH}"` }, body: '' };
    },
  },
];
