import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { addMemory } from '../factories.ts';
import { makeLargeFile } from '../photos.ts';
import { mountSmallDisk } from '../small-disk.ts';
import { closeTestServers, startTestServer } from '../test-server.ts';
import { TIMEOUT } from '../timeout.ts';

const MIB = 1024 ** 2;
const MIN_FREE_BYTES = 60 * MIB;
/** For the originals and tiles of the photos, and some of their copies. */
const ROOM_BYTES = 24 * MIB;
const PHOTOS = 10;
const PUTS = 20;
const PUT_BYTES = 4 * MIB;

const disk = await mountSmallDisk('500m');
afterAll(async () => {
  await closeTestServers();
  await disk?.unmount();
});

describe.runIf(disk)(
  'an account that fills a small disk, by photos with large copies and many uploads at once',
  () => {
    it(
      'is refused before the disk is full, while the app and Postgres go on',
      { timeout: 300_000 },
      async () => {
        const folder = disk?.folder ?? '';
        const dataDir = join(folder, 'data');
        const server = await startTestServer({
          env: {
            DATA_DIR: dataDir,
            DATABASE_URL: '',
            MIN_FREE_DISK_GB: String(MIN_FREE_BYTES / 1024 ** 3),
            UPLOADS_PER_MINUTE: '1000',
          },
        });
        const [attacker, other] = [await server.signUp(), await server.signUp()];
        await expect.poll(() => existsSync(join(dataDir, 'postgres/mems.reserve')), TIMEOUT).toBe(true);
        const freeBytes = async () => {
          const { bsize, bavail } = await statfs(folder);
          return bsize * bavail;
        };
        const postgresStart = async () =>
          (await server.context.db.execute(sql`select pg_postmaster_start_time()::text as start`)).rows;
        const startedAt = await postgresStart();
        const filler = join(folder, 'filler');
        await writeFile(filler, Buffer.alloc((await freeBytes()) - MIN_FREE_BYTES - ROOM_BYTES));

        const png = await makeGrowingPng();
        expect(png.length).toBeLessThan(64 * 1024);
        const urls: string[] = [];
        for (let n = 0; n < PHOTOS; n++) {
          const photo = Buffer.concat([png, Buffer.from(randomUUID())]);
          urls.push((await addMemory(attacker, { photo })).imageUrl);
        }
        const large = await makeLargeFile(PUT_BYTES);
        const put = async () => {
          const request = { contentType: 'image/jpeg', size: large.length };
          const asked = await attacker.post('/api/objects/upload', request);
          if (asked.status !== 200) return asked.status;
          const { pathname, search } = new URL((asked.body as { uploadURL: string }).uploadURL);
          const headers = { 'Content-Type': 'image/jpeg' };
          return (await attacker.request('PUT', pathname + search, { body: large, headers })).status;
        };
        let isOver = false;
        const answers = new Set<number>();
        const watch = async () => {
          while (!isOver)
            for (const path of ['/api/user', '/api/memories', '/api/health/ready'])
              answers.add((await other.get(path)).status);
        };
        const watching = watch();
        const [, ...puts] = await Promise.all([
          server.drainJobs(),
          ...Array.from({ length: PUTS }, () => put()),
        ]);
        isOver = true;
        await watching;
        expect([...answers]).toEqual([200]);
        expect(new Set(puts)).toEqual(new Set([200, 507]));
        expect(await freeBytes()).toBeGreaterThan(MIN_FREE_BYTES / 2);
        const copies = async () =>
          Promise.all(urls.map(async (url) => (await attacker.get(`${url}?w=1600`)).status));
        expect(await copies()).toContain(507);

        await rm(filler);
        await server.drainJobs();
        expect(await copies()).toEqual(Array(PHOTOS).fill(200));
        expect(await postgresStart()).toEqual(startedAt);
      },
    );
  },
);

/** Noise that repeats itself within the window of deflate: a few KB of 26 megapixels. */
async function makeGrowingPng(): Promise<Buffer> {
  const [width, height, period] = [1600, 16_383, 100];
  const pattern = Buffer.from(randomBytes(width * period).map((byte) => (byte & 1) * 255));
  const rows = Buffer.alloc(width * height, pattern);
  return sharp(rows, { raw: { width, height, channels: 1 } })
    .toColorspace('b-w')
    .png({ palette: true, colours: 2, dither: 0, compressionLevel: 9 })
    .toBuffer();
}
