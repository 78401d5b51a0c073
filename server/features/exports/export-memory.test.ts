import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestServer } from '../../testing/test-server.ts';
import { writeExport } from './write-export.ts';

/** Together twice what the export may take. */
const PHOTOS = 60;
const PHOTO_BYTES = 8_000_000;
const MAX_GROWTH_BYTES = 250_000_000;

it(
  `an export of ${PHOTOS} photos of 8 MB takes less than 250 MB of memory`,
  { timeout: 240_000 },
  async () => {
    const server = await startTestServer({ env: { EXPORT_PART_MB: '200' } });
    const { userId: ownerId } = await server.signUp();
    await server.context.db.execute(`
      with ids as (select gen_random_uuid() as id from generate_series(1, ${PHOTOS})), inserted as (
        insert into images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder)
        select id, '${ownerId}', 'originals/' || id, 'image/jpeg', ${PHOTO_BYTES}, repeat('0', 64), 4000, 3000, '' from ids
      )
      insert into memories (id, owner_id, image_id, caption, tags, source, created_at, added_day)
      select gen_random_uuid(), '${ownerId}', id, repeat('snow ', 20000), '{}', 'web', now(), current_date from ids`);
    const photo = randomBytes(PHOTO_BYTES);
    let stored = 0;
    let peak = 0;
    const measure = () => (peak = Math.max(peak, process.memoryUsage().rss));
    const before = process.memoryUsage().rss;
    const storage = {
      ...server.context.storage,
      read: (key: string) => Promise.resolve(key.startsWith('originals/') ? Buffer.from(photo) : null),
      async writeStream(_key: string, body: AsyncIterable<Buffer>) {
        for await (const chunk of body) {
          stored += chunk.length;
          measure();
        }
      },
    };
    await writeExport(
      { ...server.context, storage },
      { ownerId, exportedAt: new Date() },
      {
        onPart: (number) => Promise.resolve(`exports/${number}.zip`),
        onPartStored: () => Promise.resolve(),
        onProgress: () => Promise.resolve(void measure()),
      },
    );
    expect(stored).toBeGreaterThan(PHOTOS * PHOTO_BYTES);
    const growth = peak - before;
    console.info(`Grew by ${Math.round(growth / 1e6)} MB, to ${Math.round(peak / 1e6)} MB`);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  },
);
