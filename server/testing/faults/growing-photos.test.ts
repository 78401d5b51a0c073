import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { pullMissedSmsJob } from '../../features/inbound-sms/pull-missed-sms-job.ts';
import { memoriesOf } from '../clients/album.ts';
import { addMemory } from '../data/factories.ts';
import {
  newMessageSid,
  postSms,
  PRODUCT_NUMBER,
  signUpSmsOwner,
  startSmsServer,
} from '../data/inbound-sms.ts';
import { makeLargeFile } from '../photos/photos.ts';
import { mountSmallDisk } from '../environment/small-disk.ts';
import { closeTestServers } from '../test-server.ts';
import { TIMEOUT } from '../timing/timeout.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';

const MIB = 1024 ** 2;
const MIN_FREE_BYTES = 60 * MIB;
/** For the originals and tiles of the photos, and some of their copies. */
const ROOM_BYTES = 24 * MIB;
/** Their copies need more than the room. */
const PHOTOS = 6;
const PUTS = 20;
const PUT_BYTES = 4 * MIB;
const WATCH_INTERVAL_MS = 50;
/** Clients that ask for links to a new password of invented addresses, and what each may ask for and leaves. */
const FORGETFUL_CLIENTS = 3;
const REQUESTS_OF_A_CLIENT = 30;
const JOBS_OF_A_CLIENT = 5;

const disk = await mountSmallDisk('500m');
afterAll(async () => {
  await closeTestServers();
  await disk?.unmount();
});

describe.runIf(disk)(
  'an attacker who fills a small disk, by photos with large copies, uploads and forgotten passwords at once',
  () => {
    it(
      'is rejected before the disk is full, while the app and Postgres go on; a disk that is full is survived without loss',
      { timeout: 300_000 },
      async () => {
        const twilio = await startTwilioServer();
        const folder = disk?.folder ?? '';
        const dataDir = join(folder, 'data');
        const server = await startSmsServer(twilio, {
          env: {
            DATA_DIR: dataDir,
            DATABASE_URL: '',
            MIN_FREE_DISK_GB: String(MIN_FREE_BYTES / 1024 ** 3),
            UPLOADS_PER_MINUTE: '1000',
            PASSWORD_RESETS_PER_ADDRESS: String(REQUESTS_OF_A_CLIENT),
            TRUST_PROXY: '1',
          },
        });
        const [attacker, other] = [await server.signUp(), await signUpSmsOwner(server, twilio)];
        const hasReserve = () => existsSync(join(dataDir, 'postgres/mems.reserve'));
        await expect.poll(hasReserve, TIMEOUT).toBe(true);
        const freeBytes = async () => {
          const { bsize, bavail } = await statfs(folder);
          return bsize * bavail;
        };
        const postgresStart = async () =>
          (await server.context.db.execute(sql`select pg_postmaster_start_time()::text as start`)).rows;
        const startedAt = await postgresStart();
        const filler = join(folder, 'first-filler');
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
        const forget = async (client: number, n: number) => {
          const headers = { 'X-Forwarded-For': `203.0.113.${client}`, 'X-Forwarded-Host': 'mems.example' };
          const email = `invented${n}@mems.example`;
          return (await server.visitor().post('/api/password/forgot', { email }, headers)).status;
        };
        const forgetMany = async (client: number) => {
          const statuses = [];
          for (let n = 0; n <= REQUESTS_OF_A_CLIENT; n++) statuses.push(await forget(client, n));
          return statuses;
        };
        const countEmailJobs = async () => {
          const count = sql`select count(*)::int as count from pgboss.job where name = 'send-account-email'`;
          return Number((await server.context.db.execute(count)).rows[0]?.['count']);
        };
        const jobsBefore = await countEmailJobs();
        let isOver = false;
        const seen = new Set<number>();
        const watch = async () => {
          // Without a pause, the test would take a core from the app that it watches.
          for (; !isOver; await pause(WATCH_INTERVAL_MS))
            for (const path of ['/api/user', '/api/memories', '/api/health/ready'])
              seen.add((await other.get(path)).status);
        };
        const watching = watch();
        const [, forgotten, ...puts] = await Promise.all([
          server.drainJobs(),
          Promise.all(Array.from({ length: FORGETFUL_CLIENTS }, (_, client) => forgetMany(client))),
          ...Array.from({ length: PUTS }, () => put()),
        ]);
        isOver = true;
        await watching;
        expect([...seen]).toEqual([200]);
        const accepted = Array<number>(REQUESTS_OF_A_CLIENT).fill(202);
        expect(forgotten).toEqual(Array(FORGETFUL_CLIENTS).fill([...accepted, 429]));
        expect((await countEmailJobs()) - jobsBefore).toBe(FORGETFUL_CLIENTS * JOBS_OF_A_CLIENT);
        expect(new Set(puts)).toEqual(new Set([200, 507]));
        expect(await freeBytes()).toBeGreaterThan(MIN_FREE_BYTES / 2);
        const copies = async () =>
          Promise.all(urls.map(async (url) => (await attacker.get(`${url}?w=1600`)).status));
        expect(await copies()).toContain(507);

        expect(await postgresStart()).toEqual(startedAt);

        // Something else fills the rest, and Postgres recovers by its reserve.
        isOver = false;
        seen.clear();
        const watchingFullDisk = watch();
        const rest = (await disk?.fill()) ?? '';
        const postmaster = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
        process.kill(Number(postmaster.split('\n')[0]), 'SIGKILL');
        await expect.poll(postgresStart, TIMEOUT).not.toEqual(startedAt);
        await expect.poll(async () => (await other.get('/api/user')).status, TIMEOUT).toBe(200);
        expect(hasReserve()).toBe(false);

        // It fills the reserve as well.
        const fillAndSend = async () => {
          await disk?.fill();
          const sms = {
            sid: newMessageSid(),
            from: other.phone,
            to: PRODUCT_NUMBER,
            body: 'At sea',
            media: other.photos(1),
            // Twilio knows seconds, and the number is the owner's since the last one.
            sentAt: new Date(Date.now() + 1000),
          };
          twilio.inbox.push(sms);
          return (await postSms(server, sms)).status;
        };
        await expect.poll(fillAndSend, TIMEOUT).toBe(503);

        for (const each of [rest, filler]) await rm(each);
        await expect.poll(hasReserve, TIMEOUT).toBe(true);
        await expect.poll(async () => (await other.get('/api/user')).status, TIMEOUT).toBe(200);
        isOver = true;
        await watchingFullDisk;
        expect(seen).toContain(200);
        expect([...seen].filter((status) => ![200, 503].includes(status))).toEqual([]);
        await pullMissedSmsJob.handle(server.context, {});
        await server.drainJobs();
        expect(await memoriesOf(other)).toHaveLength(twilio.inbox.length);
        expect(await copies()).toEqual(Array(PHOTOS).fill(200));
      },
    );
  },
);

/** Noise that repeats itself within the window of deflate: a few KB, whose copies have nearly 5 MB. */
async function makeGrowingPng(): Promise<Buffer> {
  const [width, height, period] = [1600, 4000, 20];
  const pattern = Buffer.from(randomBytes(width * period).map((byte) => (byte & 1) * 255));
  const rows = Buffer.alloc(width * height, pattern);
  return sharp(rows, { raw: { width, height, channels: 1 } })
    .toColorspace('b-w')
    .png({ palette: true, colours: 2, dither: 0, compressionLevel: 9 })
    .toBuffer();
}
