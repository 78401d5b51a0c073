import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COPY_VERSION } from '#shared/photos/image-widths';
import type { BaselineContext } from '../baseline/baseline-context.ts';
import type { BenchCase } from './bench-case.ts';

const WIDTH = 400;
const IMAGE = 'select id, object_key, content_type from images where id = $1 and owner_id = $2';

async function findImage({ pool, user, data }: BaselineContext): Promise<{ id: string }> {
  const { rows } = await pool.query<{ id: string }>(IMAGE, [data.imageId, user.id]);
  if (!rows[0]) throw new Error('The image does not exist');
  return rows[0];
}

export const imageCases: BenchCase[] = [
  {
    name: 'Image variant of 400 px',
    target: 0.6,
    requests: ({ imageId }) => [{ path: `/objects/${imageId}?w=${WIDTH}` }],
    async baseline(context) {
      const { id } = await findImage(context);
      const body = await readFile(
        join(context.data.objectsFolder, 'variants', id, `${WIDTH}-v${COPY_VERSION}.webp`),
      );
      return {
        status: 200,
        headers: { 'Content-Type': 'image/webp', ETag: `"${id}-${WIDTH}-${COPY_VERSION}"` },
        body,
      };
    },
  },
  {
    name: 'The same, 304',
    target: 0.85,
    status: 304,
    requests: ({ imageId }) => [
      {
        path: `/objects/${imageId}?w=${WIDTH}`,
        headers: { 'If-None-Match': `"${imageId}-${WIDTH}-${COPY_VERSION}"` },
      },
    ],
    async baseline(context) {
      const { id } = await findImage(context);
      return { status: 304, headers: { ETag: `"${id}-${WIDTH}-${COPY_VERSION}"` }, body: '' };
    },
  },
];
