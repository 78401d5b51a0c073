import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ExportList, type Export } from '#shared/transfers/export';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory } from '../../testing/data/factories.ts';
import { startSmtpServer } from '../../testing/fakes/smtp-server.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { purgeAsleepUsersJob } from '../accounts/deletion/purge-asleep-users-job.ts';
import { makeExportJob } from './make-export-job.ts';
import { purgeExportsJob } from './purge-exports-job.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const GB = 1024 ** 3;
let owner: TestClient & { userId: string };
let now = new Date('2026-06-01T12:00:00Z');
let freeDisk = 100 * GB;
const pass = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
};

const smtp = await startSmtpServer();
const server = await startTestServer({
  env: {
    ...smtp.env,
    PUBLIC_URL: 'http://mems.localhost',
    MIN_FREE_DISK_GB: '1',
  },
  overrides: {
    clock: { now: () => now },
    statfs: () => Promise.resolve({ bsize: 1, blocks: 100 * GB, bavail: freeDisk }),
  },
});
await server.signUp('administrator');
beforeEach(async () => {
  freeDisk = 100 * GB;
  owner = await server.signUp();
  await server.drainJobs();
  smtp.received.length = 0;
});

const find = async (client: TestClient = owner): Promise<Export | undefined> =>
  ExportList.parse((await client.get('/api/exports')).body)[0];
const start = async () => {
  const response = await owner.post('/api/exports');
  expect(response.status).toBe(202);
  return response.body as Export;
};
async function finish(): Promise<Export & { url: string }> {
  await start();
  await server.drainJobs();
  const found = await find();
  expect(found?.status).toBe('completed');
  return { ...(found as Export), url: found?.parts[0]?.url ?? '' };
}
async function purge(): Promise<void> {
  await purgeExportsJob.handle(server.context, {});
  await server.drainJobs();
}
const confirm = (client: TestClient = owner) =>
  client.post('/api/session/proof', { password: 'correct horse' });
const storedZips = (): Promise<string[]> => readdir(join(server.dataDir, 'objects/exports')).catch(() => []);
const partIds = ({ parts }: Export) => parts.map(({ url }) => `${url.split('/').pop()}.zip`);
/** Runs the job with a storage that differs. */
const makeWithStorage = (storage: Partial<ObjectStorage>, { id }: Export, stopping?: AbortSignal) =>
  makeExportJob.handle(
    { ...server.context, storage: { ...server.context.storage, ...storage } },
    { ownerId: owner.userId, exportId: id },
    stopping,
  );
const down = () => Promise.reject(new Error('The storage is down'));

describe('POST /api/exports', () => {
  it('returns the export that is being made, also concurrently', async () => {
    const responses = await Promise.all([start(), start(), start()]);
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 'making', progress: 0, expiresAt: null, parts: [] });
  });

  it('replaces a finished export', async () => {
    const former = await finish();
    const latter = await finish();
    expect(latter.id).not.toBe(former.id);
    expect((await owner.get(former.url)).status).toBe(404);
    const stored = await storedZips();
    expect(partIds(latter).every((each) => stored.includes(each))).toBe(true);
    expect(partIds(former).some((each) => stored.includes(each))).toBe(false);
  });

  it('is rejected when the disk has no room for the photos, and counts the export that it replaces', async () => {
    const byteSize = 300 * 1024 ** 2;
    await addMemory(owner);
    await server.drainJobs();
    await server.context.db.execute(
      `update images set byte_size = ${byteSize} where owner_id = '${owner.userId}'`,
    );
    // Of which one GB stays free.
    freeDisk = 1.1 * GB;
    const rejected = await owner.post('/api/exports');
    expect([rejected.status, rejected.body]).toMatchObject([
      507,
      { message: 'There is no room for more at the moment. Please tell the person who runs this album.' },
    ]);
    expect(await find()).toBeUndefined();
    freeDisk = 1.4 * GB;
    const { parts } = await finish();
    await server.context.db.execute(
      `update export_parts set byte_size = ${byteSize} where owner_id = '${owner.userId}'`,
    );
    expect(parts).toHaveLength(1);
    freeDisk = 1.1 * GB;
    expect((await owner.post('/api/exports')).status).toBe(202);
  });

  it('allows ten a day', async () => {
    for (let count = 0; count < 10; count++) await finish();
    const rejected = await owner.post('/api/exports');
    expect(rejected.status).toBe(429);
    expect((rejected.body as { message: string }).message).toMatch(
      /^Too many exports\. Please try again in /,
    );
    expect((await find())?.status).toBe('completed');
  });
});

describe('a finished export', () => {
  it('is announced by one email, with a link to the page and not to the file', async () => {
    const { url } = await finish();
    await purge();
    const emails = await smtp.emails();
    expect(emails.map(({ subject }) => subject)).toEqual(['Your export is ready']);
    expect(emails[0]?.text).toContain('You can download them until Monday, June 8, 2026.');
    expect(emails[0]?.text).toContain('http://mems.localhost/account#export');
    expect(`${emails[0]?.text}${emails[0]?.html}`).not.toContain(url);
  });

  it('is downloaded by its owner only, after a confirmed identity', async () => {
    const { url, parts } = await finish();
    const stranger = await server.signUp();
    expect((await server.visitor().get(url)).status).toBe(401);
    expect((await stranger.get(url)).status).toBe(404);
    expect(await find(stranger)).toBeUndefined();
    pass(11 * MINUTE);
    const unconfirmed = await owner.get(url);
    expect([unconfirmed.status, unconfirmed.body]).toMatchObject([403, { code: 'identity-unconfirmed' }]);
    expect((await owner.get(url, { Range: 'bytes=0-9' })).status).toBe(403);
    expect((await confirm()).status).toBe(204);
    const file = await owner.get(url);
    expect([file.status, file.bytes.length]).toEqual([200, parts[0]?.byteSize]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename=mems-export-${now.toISOString().slice(0, 10)}.zip`,
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    });
  });

  it('is resumed by Range, unless it is another file by now', async () => {
    const { url } = await finish();
    const whole = await owner.get(url);
    const etag = whole.headers.get('ETag') ?? '';
    const rest = await owner.get(url, { Range: 'bytes=1000-', 'If-Range': etag });
    expect([rest.status, rest.headers.get('Content-Range')]).toEqual([
      206,
      `bytes 1000-${whole.bytes.length - 1}/${whole.bytes.length}`,
    ]);
    expect(Buffer.concat([whole.bytes.subarray(0, 1000), rest.bytes]).equals(whole.bytes)).toBe(true);
    const other = await owner.get(url, { Range: 'bytes=1000-', 'If-Range': '"another"' });
    expect([other.status, other.bytes.length]).toEqual([200, whole.bytes.length]);
    const beyond = await owner.get(url, { Range: `bytes=${whole.bytes.length}-` });
    expect(beyond.status).toBe(416);
  });

  it('is deleted after seven days', async () => {
    const export_ = await finish();
    expect(export_.expiresAt).toBe(new Date(now.getTime() + 7 * DAY).toISOString());
    pass(7 * DAY - MINUTE);
    await purge();
    expect((await find())?.id).toBe(export_.id);
    pass(2 * MINUTE);
    await purge();
    expect(await find()).toBeUndefined();
    await confirm();
    expect((await owner.get(export_.url)).status).toBe(404);
    for (const each of partIds(export_)) expect(await storedZips()).not.toContain(each);
  });

  it('is out of reach while its account is asleep, and gone with it', async () => {
    const { body: user } = await owner.get('/api/user');
    const { url, ...export_ } = await finish();
    const { username } = user as { username: string };
    await owner.request('DELETE', '/api/user', { json: { username } });
    expect((await owner.get(url)).status).toBe(401);
    for (const days of [12, 2]) {
      pass(days * DAY);
      await purgeAsleepUsersJob.handle(server.context, {});
      await server.drainJobs();
    }
    for (const each of partIds(export_)) expect(await storedZips()).not.toContain(each);
    const { rows } = (await server.context.db.execute(
      `select id from export_parts where owner_id = '${owner.userId}'`,
    )) as unknown as { rows: unknown[] };
    expect(rows).toEqual([]);
  });

  it('is not announced to an account that is asleep', async () => {
    const { body: user } = await owner.get('/api/user');
    await start();
    const { username } = user as { username: string };
    await owner.request('DELETE', '/api/user', { json: { username } });
    await server.drainJobs();
    expect((await smtp.emails()).map(({ subject }) => subject)).toEqual(['Your album will be deleted']);
  });

  it('is in the recent activity, with its downloads', async () => {
    const { url } = await finish();
    await owner.get(url, { Range: 'bytes=0-0' });
    await owner.get(url);
    await owner.get(url, { Range: 'bytes=0-' });
    await expect
      .poll(async () => {
        const { body } = await owner.get('/api/user/activity');
        return (body as { kind: string }[])
          .map(({ kind }) => kind)
          .filter((kind) => kind.startsWith('export'));
      })
      .toEqual(['export-downloaded', 'export-downloaded', 'export-requested']);
  });
});

describe('making an export', () => {
  it('reports its progress, and starts over with another worker when one dies', async () => {
    for (let count = 0; count < 2; count++) await addMemory(owner);
    await server.drainJobs();
    const export_ = await start();
    let revive = () => {};
    const asleep = new Promise<void>((resolve) => (revive = resolve));
    let sleeps = () => {};
    const fallenAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    let originals = 0;
    const first = makeWithStorage(
      {
        async read(key) {
          if (key.startsWith('originals/') && ++originals === 2) {
            sleeps();
            await asleep;
          }
          return server.context.storage.read(key);
        },
      },
      export_,
    );
    await fallenAsleep;
    expect(await find()).toMatchObject({ status: 'making', progress: 50, parts: [] });
    // Another worker cannot claim it while the first has a heartbeat.
    await server.drainJobs();
    expect((await find())?.status).toBe('making');

    pass(2 * MINUTE);
    await purge();
    const completed = await find();
    expect(completed).toMatchObject({ status: 'completed', progress: 100 });
    revive();
    await first;
    await server.drainJobs();
    expect(await find()).toEqual(completed);
    expect((await storedZips()).filter((each) => !partIds(completed as Export).includes(each))).toEqual(
      await zipsOfOthers(),
    );
  });

  it('is retried while the storage is down, then fails without leaving anything, and can be started again', async () => {
    await addMemory(owner);
    await server.drainJobs();
    const export_ = await start();
    for (const status of ['making', 'making', 'making', 'failed'] as const) {
      await expect(makeWithStorage({ writeStream: down }, export_)).rejects.toThrow('The storage is down');
      expect(await find()).toMatchObject({ status, expiresAt: null, parts: [] });
    }
    await server.drainJobs();
    expect(await find()).toMatchObject({ status: 'failed' });
    expect((await finish()).id).not.toBe(export_.id);
  });

  it('stores no part whose photo could not be read', async () => {
    await addMemory(owner);
    await server.drainJobs();
    const before = await storedZips();
    await expect(makeWithStorage({ read: down }, await start())).rejects.toThrow('The storage is down');
    expect(await storedZips()).toEqual(before);
    await server.drainJobs();
    expect((await find())?.status).toBe('completed');
  });

  it('continues in the next process when the server stops, however often', async () => {
    await addMemory(owner);
    await server.drainJobs();
    const export_ = await start();
    for (let count = 0; count < 6; count++) await makeWithStorage({}, export_, AbortSignal.abort());
    expect((await find())?.status).toBe('making');
    await server.drainJobs();
    expect(await find()).toMatchObject({ id: export_.id, status: 'completed' });
    expect(smtp.received).toHaveLength(1);
  });

  it('waits for room on the disk, which counts as no attempt, and after a day no longer', async () => {
    await addMemory(owner);
    await server.drainJobs();
    const export_ = await start();
    freeDisk = 0;
    const reject = () => expect(makeWithStorage({}, export_)).rejects.toThrow('There is no room');
    for (let attempt = 0; attempt < 6; attempt++) await reject();
    expect((await find())?.status).toBe('making');
    pass(DAY + 1);
    for (let attempt = 0; attempt < 4; attempt++) await reject();
    expect((await find())?.status).toBe('failed');
  });

  it('leaves no zip when the export was replaced while it was stored', async () => {
    const before = await storedZips();
    const export_ = await start();
    await makeWithStorage(
      {
        async writeStream(...object) {
          await server.context.storage.writeStream(...object);
          await server.context.db.execute(`delete from exports where id = '${export_.id}'`);
        },
      },
      export_,
    );
    expect(await storedZips()).toEqual(before);
  });
});

/** Of the exports of the other tests' accounts. */
async function zipsOfOthers(): Promise<string[]> {
  const { rows } = (await server.context.db.execute(
    `select id from export_parts where owner_id <> '${owner.userId}'`,
  )) as unknown as { rows: { id: string }[] };
  const ids = rows.map(({ id }) => `${id}.zip`);
  return (await storedZips()).filter((each) => ids.includes(each));
}
