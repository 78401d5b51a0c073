import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, inject, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { parseConfig } from '../../platform/config/config.ts';
import { lockForBackup } from '../../platform/db/backup-lock.ts';
import { openCopyClient } from '../../platform/db/table-copy.ts';
import { BUNDLED_SCRIPTS_FOLDER } from '../../platform/process/bundled-script.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { createTestClient, type TestClient } from '../../testing/clients/test-client.ts';
import {
  backUp,
  contentOf,
  emptyInstallation,
  restore,
  temporaryFolder,
} from '../../testing/data/backups.ts';
import { addMemory, deleteMemory } from '../../testing/data/factories.ts';
import { startAppProcess } from '../../testing/environment/app-process.ts';
import { s3Settings } from '../../testing/environment/s3-settings.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { readBackup, readObjectLists } from './read-backup.ts';

const s3 = inject('s3');

/** Where adding is faster than copying, a backup would have ever more to copy. */
const MAX_LOAD = 40;

/** Adds, likes and permanently deletes photos until the signal. */
async function keepBusy(client: TestClient, signal: AbortSignal): Promise<void> {
  const photo = await makePhoto();
  for (let n = 0; !signal.aborted; n++) {
    const memory = await addMemory(client, { caption: `load ${n}`, photo: copyOfPhoto(photo) });
    await client.request('PATCH', `/api/memories/${memory.id}`, { json: { isLiked: true } });
    const load = (await memoriesOf(client)).filter(({ caption }) => caption?.startsWith('load'));
    const [other] = load;
    if (!other || (n % 2 && load.length < MAX_LOAD)) continue;
    await deleteMemory(client, other.id);
    await client.request('DELETE', `/api/memories/deleted/${other.id}`);
  }
}

/** Rows whose image has other bytes than were stored, and objects that belong to no row. */
function findDamage({ rows, objects }: Awaited<ReturnType<typeof contentOf>>): string[] {
  const images = (rows['public.images'] ?? []).map(
    (row) => JSON.parse(row) as { id: string; object_key: string; sha256: string },
  );
  const ids = new Set(
    [...images, ...(rows['public.uploads'] ?? []).map((row) => JSON.parse(row) as { id: string })].map(
      ({ id }) => id,
    ),
  );
  return [
    ...images
      .filter(({ object_key, sha256 }) => objects[object_key] !== sha256)
      .map(({ id }) => `image ${id}`),
    ...Object.keys(objects).filter((key) => !ids.has(/[0-9a-f-]{36}/.exec(key)?.[0] ?? '')),
  ];
}

describe('the nightly backup', { timeout: 240_000 }, () => {
  it('of an app that is killed meanwhile loses nothing in its folder and leaves nothing there', async () => {
    const { settings } = await emptyInstallation();
    const folder = join(await temporaryFolder(), 'backups');
    const env = {
      ...settings,
      BACKUP_DIR: folder,
      BACKUP_KEEP: '20',
      WRITE_BURST: '100000',
      UPLOADS_PER_MINUTE: '100000',
    };
    const names = async () => (await readdir(folder).catch(() => [])).sort();
    const complete = async () => (await names()).filter((name) => name.endsWith('.tar'));
    const hasDraft = async () => (await names()).some((name) => name.startsWith('partial-'));
    const query = async (statement: string) => {
      const db = await openCopyClient(settings['DATABASE_URL']!, 'test');
      const { rowCount } = await db.query(statement).finally(() => db.end());
      return rowCount;
    };
    const makeDue = () => query("update backup_runs set started_at = started_at - interval '1 day'");
    const completed = () => query('select from backup_runs where failure_reason is null');
    /** Until its end no backup can copy the table. */
    const hold = async (table: string) => {
      const db = await openCopyClient(settings['DATABASE_URL']!, 'test');
      await db.query('begin');
      await db.query(`lock table ${table} in access exclusive mode`);
      return db;
    };
    let app = await startAppProcess(env);
    const client = createTestClient(app.origin);
    await client.post('/api/register', {
      email: 'ana@mems.example',
      username: 'ana',
      password: 'correct horse',
    });
    for (let n = 0; n < 5; n++) await addMemory(client, { caption: `before ${n}` });
    await expect.poll(completed, { timeout: 60_000 }).toBe(1);
    const [first = ''] = await complete();
    const ending = new AbortController();
    const tables = [
      'inbound_emails',
      ...(inject('faults').isLong ? ['caricatures', 'flipbook_pdfs', 'passkeys'] : []),
    ];
    for (const table of tables) {
      await app.stop();
      await makeDue();
      const held = await hold(table);
      app = await startAppProcess(env);
      const visitor = createTestClient(app.origin);
      await visitor.post('/api/login', { email: 'ana@mems.example', password: 'correct horse' });
      // Ends with the app.
      const busy = keepBusy(visitor, ending.signal).catch(() => undefined);
      await expect.poll(hasDraft, { timeout: 60_000 }).toBe(true);
      await app.kill();
      await held.end();
      await busy;
      expect(await hasDraft()).toBe(true);
      await readBackup(join(folder, first));
      await makeDue();
      const before = await completed();
      app = await startAppProcess(env);
      await expect.poll(completed, { timeout: 60_000 }).toBeGreaterThan(before!);
    }
    await app.stop();
    expect((await names()).filter((name) => !name.endsWith('.tar'))).toEqual(['OWNER', 'objects']);
    const needed = new Set<string>();
    for (const name of await complete()) {
      await readBackup(join(folder, name));
      for await (const { sha256 } of readObjectLists(join(folder, name))) needed.add(sha256);
    }
    const files = (await readdir(join(folder, 'objects'), { recursive: true })).filter((name) =>
      name.includes('/'),
    );
    expect(files.map((name) => name.split('/')[1]).sort()).toEqual([...needed].sort());
  });
});

describe('npm run backup', { timeout: 240_000 }, () => {
  it('beside a busy app makes one that is the same wherever it is restored', async () => {
    const folder = await temporaryFolder();
    const busy = {
      DATA_DIR: join(folder, 'data'),
      WRITE_BURST: '100000',
      UPLOADS_PER_MINUTE: '100000',
      MIN_FREE_DISK_GB: '0',
      MIN_FREE_DISK_PERCENT: '0',
    };
    const app = await startAppProcess(busy);
    const client = createTestClient(app.origin);
    await client.post('/api/register', {
      email: 'ana@mems.example',
      username: 'ana',
      password: 'correct horse',
    });
    const before: Memory[] = [];
    for (let n = 0; n < 5; n++) before.push(await addMemory(client, { caption: `before ${n}` }));
    const ending = new AbortController();
    const working = [keepBusy(client, ending.signal), keepBusy(client, ending.signal)];
    // More than the two may have deleted in the moment of the last backup.
    const addedBefore = async () => (await memoriesOf(client)).length - before.length;
    await expect.poll(addedBefore, { timeout: 60_000 }).toBeGreaterThan(2);
    const files = [0, 1].map((n) => join(folder, `${n}.tar`));
    for (const file of files) await backUp(parseConfig(busy), file);
    ending.abort();
    await Promise.all(working);
    await app.stop();

    const elsewhere = [
      await emptyInstallation(),
      await emptyInstallation({ ...(s3 && (await s3Settings(s3))) }),
    ];
    const found = [];
    for (const { config } of elsewhere) {
      await restore(config, files.at(-1)!);
      found.push(await contentOf(config));
    }
    expect(found[1]).toEqual(found[0]);
    expect(findDamage(found[0]!)).toEqual([]);
    const captions = (found[0]!.rows['public.memories'] ?? []).map(
      (row) => (JSON.parse(row) as Memory).caption,
    );
    expect(captions).toEqual(expect.arrayContaining(before.map(({ caption }) => caption)));
    expect(captions.length).toBeGreaterThan(before.length);
  });

  it('lets deletions of objects wait, which happen afterwards', async () => {
    const server = await startTestServer();
    const { storage } = server.context;
    await storage.write('originals/a', Buffer.from('bytes'), 'image/jpeg');
    const client = await openCopyClient(server.databaseUrl, 'test');
    await lockForBackup(client);
    await storage.delete('originals/a');
    expect(await storage.sizeOf('originals/a')).toBe(5);
    await expect(backUp(server.context.config, join(await temporaryFolder(), 'a.tar'))).rejects.toThrow(
      'Another backup is being made.',
    );
    await client.end();
    await server.drainJobs();
    expect(await storage.sizeOf('originals/a')).toBeNull();
    await storage.write('originals/a', Buffer.from('bytes'), 'image/jpeg');
    await storage.delete('originals/a');
    expect(await storage.sizeOf('originals/a')).toBeNull();
  });

  it('writes to the standard output as well, and to a file only once and only for its owner', async () => {
    const server = await startTestServer();
    await addMemory(await server.signUp('ana'));
    const folder = await temporaryFolder();
    const [piped, file] = [join(folder, 'piped.tar'), join(folder, 'file.tar')];
    expect(await runBackup(server, ['-'], piped)).toMatch(
      /^Backed up \d+ rows and \d+ objects \(1 MB\)\.\n$/,
    );
    expect(await runBackup(server, [file])).toMatch(/^Backed up/);
    const [first, second] = [await readBackup(piped), await readBackup(file)];
    expect(second.manifest.objects).toEqual(first.manifest.objects);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await runBackup(server, [file])).toBe(`${file} exists already. Nothing was written.\n`);
    expect(await runBackup(server, [])).toContain('Usage: npm run backup');
    expect(await runBackup(server, [join(folder, 'missing/file.tar')])).toContain('cannot be written');
    expect((await readdir(folder)).sort()).toEqual(['file.tar', 'piped.tar']);
  });

  it('says that its output is not read to the end', async () => {
    const server = await startTestServer();
    await server.signUp('ana');
    const program = startProgram('backup-main', toEnv(server), ['-']);
    // As `| head` does.
    program.stdout.destroy();
    const ended = once(program, 'exit');
    expect(await text(program.stderr)).toBe(
      'The standard output cannot be written: write EPIPE. No backup was made.\n',
    );
    expect((await ended)[0]).toBe(1);
  });

  it('streams large objects', async () => {
    const server = await startTestServer();
    await server.signUp('ana');
    const block = Buffer.alloc(1024 * 1024, 7);
    const blocks = Readable.from(Array.from({ length: 100 }, () => block));
    await server.context.storage.writeStream('flipbooks/large.pdf', blocks, 'application/pdf');
    const file = join(await temporaryFolder(), 'large.tar');
    const { settings } = await emptyInstallation();
    const PEAK = { NODE_OPTIONS: PRINT_PEAK };
    const all = [
      await runBackup(server, [file], undefined, PEAK),
      await runProgram('restore-main', { ...settings, ...PEAK }, [file]),
    ];
    expect(all[0]).toContain('(100 MB).');
    expect(all[1]).toContain('Everything is restored.');
    for (const messages of all) expect(Number(/^peak (\d+)$/m.exec(messages)?.[1])).toBeLessThan(64);
  });
});

/** Of the memory in use, in MB, without garbage: how much of that lies about depends on how busy the machine is. */
const PRINT_PEAK = `--import=data:text/javascript,${encodeURIComponent(`
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  let peak = 0;
  setInterval(() => {
    collectGarbage();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    peak = Math.max(peak, arrayBuffers + heapUsed);
  }, 100).unref();
  process.on('exit', () => console.error('peak', Math.round(peak / 1024 ** 2)));
`)}`;

type Server = { databaseUrl: string; dataDir: string };

function toEnv({ databaseUrl, dataDir }: Server): Record<string, string> {
  return { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
}

/** @returns its messages */
function runBackup(
  server: Server,
  args: string[],
  output?: string,
  settings: Record<string, string> = {},
): Promise<string> {
  return runProgram('backup-main', { ...toEnv(server), ...settings }, args, output);
}

type Program = 'backup-main' | 'restore-main';

function startProgram(name: Program, env: Record<string, string>, args: string[]) {
  return spawn(process.execPath, [join(BUNDLED_SCRIPTS_FOLDER, `${name}.js`), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function runProgram(
  name: Program,
  env: Record<string, string>,
  args: string[],
  output?: string,
): Promise<string> {
  const program = startProgram(name, env, args);
  const ended = once(program, 'exit');
  const [errors, messages] = await Promise.all([
    text(program.stderr),
    output ? pipeline(program.stdout, createWriteStream(output)) : text(program.stdout),
  ]);
  await ended;
  return errors + (messages ?? '');
}
