import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { BUNDLED_SCRIPTS_FOLDER } from '../platform/process/bundled-script.ts';
import { parseConfig } from '../platform/config/config.ts';
import { openDataFolder, readPostgresAccess } from '../platform/data-folder/data-folder.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../platform/embedded-postgres/embedded-postgres.ts';
import { createQueues } from '../platform/job-queue/pg-boss-job-queue.ts';
import { findMigration, migrateSchema } from '../platform/db/migrate.ts';
import { openCopyClient } from '../platform/db/table-copy.ts';
import { projectRoot } from '../platform/process/project-root.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import { jobs as allJobs } from './jobs.ts';
import { seededRandom } from '../platform/seeded-random.ts';
import { readAllRows } from '../testing/assertions/all-rows.ts';
import { memoriesOf } from '../testing/clients/album.ts';
import { backUp, emptyInstallation, restore } from '../testing/data/backups.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../testing/data/factories.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { openTestPool } from '../testing/environment/test-pool.ts';

/** The time of migration 0015. */
const UPLOAD_REJECTION_REASON = 1_795_432_616_949;
/** Without a pause, the test would take a core from the app that it watches. */
const POLL_INTERVAL_MS = 1;
const LOGIN = { email: 'ana@mems.example', password: 'correct horse' };

let parent: string;
/** A data folder that a release with Postgres 17 left behind, and the rows in it. */
let album: string;
let albumRows: Record<string, string[]>;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mems-majors-'));
  album = join(parent, 'album');
  await with17(album, async (postgres) => {
    const server = await startTestServer({
      env: { DATA_DIR: album, DATABASE_URL: postgres.connectionString },
    });
    const ana = await server.signUp('ana');
    const pet = await addPet(ana, { name: 'Rex\t\\N "é" 🐕' });
    await addContact(ana);
    await addMemory(ana, { caption: 'a\nb\\', tags: 'sea, "quoted"', petId: pet.id });
    await deleteMemory(ana, (await addMemory(ana)).id);
    await server.close();
    albumRows = await readAllRows(postgres.connectionString);
  });
});

afterAll(() => rm(parent, { recursive: true, force: true }));

async function with17(
  dataDir: string,
  act: (postgres: EmbeddedPostgres) => Promise<void>,
  cluster = 'postgres',
): Promise<void> {
  const folder = await openDataFolder(dataDir);
  const password = await folder.secret('postgres');
  await folder.close();
  const postgres = await startEmbeddedPostgres({
    dataDir: join(dataDir, cluster),
    password,
    major: '17',
    settings: { fsync: 'off' },
    onLog: () => undefined,
  });
  try {
    await act(postgres);
  } finally {
    await postgres.stop();
  }
}

async function copyAlbum(): Promise<string> {
  const dataDir = await mkdtemp(join(parent, 'copy-'));
  await cp(album, dataDir, { recursive: true });
  return dataDir;
}

async function start(dataDir: string, overrides = {}): Promise<{ server: TestServer; log: string[] }> {
  const log: string[] = [];
  const server = await startTestServer({
    env: { DATA_DIR: dataDir, DATABASE_URL: undefined },
    overrides: { report: (line: string) => log.push(line), ...overrides },
  });
  return { server, log };
}

/** As a command beside the app finds it. */
async function urlOf(dataDir: string): Promise<string> {
  const { postgresDir, password } = await readPostgresAccess(dataDir);
  return (await findRunningPostgres({ dataDir: postgresDir, password: password! }))!;
}

const rowsOf = async (dataDir: string) => readAllRows(await urlOf(dataDir));

async function run(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = await openCopyClient(url, 'test');
  await client.query(statement, values).finally(() => client.end());
}

/** What the folder holds of Postgres: each cluster with its major version. */
async function clustersIn(dataDir: string): Promise<Record<string, string>> {
  const clusters: Record<string, string> = {};
  for (const name of await readdir(dataDir)) {
    if (!/^postgres(?!.*\.log)/.test(name)) continue;
    clusters[name] = (await readFile(join(dataDir, name, 'PG_VERSION'), 'utf8').catch(() => 'none')).trim();
  }
  return clusters;
}

const BEFORE = { postgres: '17' };
const AFTER = { postgres: '18', 'postgres-17': '17' };

describe('a data folder of Postgres 17', { timeout: 180_000 }, () => {
  it('is moved to Postgres 18 once, with all rows and waiting jobs, and the old cluster stays readable', async () => {
    const dataDir = await copyAlbum();
    const { server, log } = await start(dataDir);
    expect(await rowsOf(dataDir)).toEqual(albumRows);
    expect(Object.entries(albumRows).find(([table]) => table.includes('pgboss.job'))?.[1]).not.toEqual([]);
    expect(log[0]).toBe('Moving the database from Postgres 17 to 18 (once; this may take minutes)');
    expect(log.at(-1)).toMatch(/^Postgres is now 18\. .* delete the old database: rm -r \/.*\/postgres-17$/);
    const ana = server.visitor();
    expect((await ana.post('/api/login', LOGIN)).status).toBe(200);
    const [memory] = await memoriesOf(ana);
    expect((await ana.get(memory!.imageUrl)).status).toBe(200);
    await server.drainJobs();
    await addMemory(ana);
    const { 'public.memories': memories } = await rowsOf(dataDir);
    await server.close();
    expect(await clustersIn(dataDir)).toEqual(AFTER);
    expect(await readFile(join(dataDir, 'VERSION'), 'utf8')).toBe('1\n');
    expect(existsSync(join(dataDir, 'postgres.next.log'))).toBe(false);
    const second = await start(dataDir);
    expect(second.log).toEqual([]);
    expect((await rowsOf(dataDir))['public.memories']).toEqual(memories);
    await second.server.close();
    await with17(
      dataDir,
      async (postgres) => expect(await readAllRows(postgres.connectionString)).toEqual(albumRows),
      'postgres-17',
    );
  });

  it('is backed up and checked without being moved', async () => {
    const dataDir = await copyAlbum();
    const config = parseConfig({ DATA_DIR: dataDir });
    const file = join(parent, 'of-17.tar');
    await backUp(config, file);
    await expect(restore(config, file, '--check')).rejects.toThrow('it has an account');
    await expect(restore(config, file)).rejects.toThrow('it has an account');
    expect(await clustersIn(dataDir)).toEqual(BEFORE);
    const { config: other } = await emptyInstallation({ DATABASE_URL: undefined });
    await restore(other, file);
    const { server } = await start(other.dataDir);
    expect(await rowsOf(other.dataDir)).toEqual(albumRows);
    await server.close();
  });

  it('is moved by one of two processes, and rejects changes by other programs meanwhile', async () => {
    const dataDir = await copyAlbum();
    const changeUsers = async () => run(await urlOf(dataDir), "update users set username = 'lost'");
    const changes: Promise<unknown>[] = [];
    const report = (line: string) => {
      if (line.startsWith('Making the database')) changes.push(changeUsers().catch((error: Error) => error));
    };
    const results = await Promise.allSettled([start(dataDir, { report }), start(dataDir, { report })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({
        message: expect.stringContaining('is in use by process') as string,
      }) as Error,
    });
    expect(changes).toHaveLength(1);
    expect(String(await changes[0])).toContain('cannot execute UPDATE in a read-only transaction');
    expect(await rowsOf(dataDir)).toEqual(albumRows);
  });

  it('is moved with the schema of an older release, and migrated after that', async () => {
    const dataDir = await mkdtemp(join(parent, 'older-'));
    const id = randomUUID();
    await with17(dataDir, async ({ connectionString }) => {
      const client = await openCopyClient(connectionString, 'test');
      await migrateSchema(client, await findMigration(UPLOAD_REJECTION_REASON)).finally(() => client.end());
      const values = "$1, 'old@mems.example', 'old', 'none'";
      await run(
        connectionString,
        `insert into users (id, email, username, password_hash) values (${values})`,
        [id],
      );
      const pool = openTestPool(connectionString);
      await createQueues(pool, allJobs).finally(() => pool.end());
    });
    await start(dataDir);
    const rows = await rowsOf(dataDir);
    expect(rows['public.users']).toEqual([expect.stringContaining(id)]);
    expect(rows['drizzle.__drizzle_migrations']).toEqual(albumRows['drizzle.__drizzle_migrations']);
  });

  it('is moved although its first start was interrupted before the first table', async () => {
    const dataDir = await mkdtemp(join(parent, 'empty-'));
    await with17(dataDir, () => Promise.resolve());
    const { server } = await start(dataDir);
    await addMemory(await server.signUp('ana'));
    expect(await clustersIn(dataDir)).toEqual(AFTER);
  });
});

describe('a move that cannot be made leaves all as it was, and is made later', { timeout: 180_000 }, () => {
  /** The start fails with this message. */
  async function expectRejection(dataDir: string, message: RegExp, overrides = {}): Promise<void> {
    const before = await clustersIn(dataDir);
    const failure = await start(dataDir, overrides).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toMatch(message);
    expect(await clustersIn(dataDir)).toEqual(before);
    expect(await readFile(join(dataDir, 'VERSION'), 'utf8')).toBe('1\n');
  }

  it('when a folder has the name of the one that keeps the old cluster', async () => {
    const dataDir = await copyAlbum();
    await mkdir(join(dataDir, 'postgres-17'));
    await expectRejection(dataDir, /\/postgres-17, in which the old one is kept, exists already/);
  });

  it('when the disk is short, or the database holds a table that is not the app’s, also where a symbolic link leads to another disk', async () => {
    const dataDir = await copyAlbum();
    const disk = await mkdtemp(join(parent, 'disk-'));
    await rename(join(dataDir, 'postgres'), join(disk, 'cluster'));
    await symlink(join(disk, 'cluster'), join(dataDir, 'postgres'));
    const statfs = () => Promise.resolve({ bsize: 1024 * 1024, blocks: 1_000_000, bavail: 100 });
    const message = /needs \d{3} MB of free disk, but has 100 MB\.\nNothing was changed\. Make room/;
    await expectRejection(dataDir, message, { statfs });
    const runIn17 = (statement: string) =>
      with17(dataDir, ({ connectionString }) => run(connectionString, statement));
    await runIn17('create table notes as select 1 as one');
    await expectRejection(dataDir, /could not be moved to Postgres 18: .*tables[^]*data is unchanged/);
    await runIn17('drop table notes');
    await start(dataDir);
    expect(await rowsOf(dataDir)).toEqual(albumRows);
    expect((await readdir(disk)).sort()).toEqual(['cluster', 'cluster-17', 'cluster.log']);
    expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true);
  });
});

describe('an app that is killed during the move', { timeout: 300_000 }, () => {
  function startApp(
    dataDir: string,
    ...nodeArgs: string[]
  ): { app: ChildProcess; ended: Promise<unknown[]> } {
    const app = spawn(process.execPath, [...nodeArgs, join(BUNDLED_SCRIPTS_FOLDER, 'main.js')], {
      cwd: projectRoot,
      env: { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    onTestFinished(() => void app.kill('SIGKILL'));
    return { app, ended: once(app, 'exit') };
  }

  async function killWhen(dataDir: string, isReached: () => boolean): Promise<void> {
    const { app, ended } = startApp(dataDir);
    while (!isReached() && app.exitCode === null && app.signalCode === null) await pause(POLL_INTERVAL_MS);
    app.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
  }

  async function killBeforeRename(dataDir: string, folder: string): Promise<void> {
    const code = `
      import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      const { rename } = fs;
      fs.rename = async (from, to) => {
        if (from.endsWith('/${folder}')) process.kill(process.pid, 'SIGKILL');
        return rename(from, to);
      };
      syncBuiltinESMExports();`;
    const { ended } = startApp(dataDir, '--import', `data:text/javascript,${encodeURIComponent(code)}`);
    expect((await ended)[1]).toBe('SIGKILL');
  }

  /** Without the mark of a switch, the old cluster must be in its place or the new one complete. */
  async function expectWhole(dataDir: string, hint?: string): Promise<void> {
    const version = readFileSync(join(dataDir, 'VERSION'), 'utf8');
    const clusters = await clustersIn(dataDir);
    if (version === '1\n') expect(clusters, hint).toMatchObject(clusters['postgres-17'] ? AFTER : BEFORE);
  }

  async function expectMoved(dataDir: string, hint?: string): Promise<void> {
    const { server } = await start(dataDir);
    expect(await rowsOf(dataDir), hint).toEqual(albumRows);
    expect(await clustersIn(dataDir), hint).toEqual(AFTER);
    expect(readFileSync(join(dataDir, 'VERSION'), 'utf8'), hint).toBe('1\n');
    await server.close();
  }

  const isMoved = (dataDir: string) =>
    existsSync(join(dataDir, 'postgres-17')) && readFileSync(join(dataDir, 'VERSION'), 'utf8') === '1\n';

  const hasBegun = (dataDir: string) =>
    readdirSync(dataDir).some((name) => name.startsWith('postgres.next') || name === 'postgres-17');

  it('loses nothing when initdb begins, the new server has started, the copy is complete, and the old cluster is renamed', async () => {
    let dataDir = await copyAlbum();
    const moments: ((dataDir: string) => boolean)[] = [
      (folder) => readdirSync(folder).some((name) => name.startsWith('postgres.next.draft')),
      (folder) => existsSync(join(folder, 'postgres.next/postmaster.pid')),
    ];
    for (const isReached of moments) {
      let wasSeen = false;
      const isOver = () => (wasSeen = isReached(dataDir)) || isMoved(dataDir);
      await killWhen(dataDir, isOver);
      // On a busy machine the moment may pass unseen, and the move is completed. Then another copy is moved.
      while (!wasSeen) {
        dataDir = await copyAlbum();
        await killWhen(dataDir, isOver);
      }
      await expectWhole(dataDir);
    }
    await killBeforeRename(dataDir, 'postgres');
    expect(await clustersIn(dataDir)).toEqual({ ...BEFORE, 'postgres.next': '18' });
    await expectWhole(dataDir);
    await killBeforeRename(dataDir, 'postgres.next');
    expect(await clustersIn(dataDir)).toEqual({ 'postgres-17': '17', 'postgres.next': '18' });
    await expectWhole(dataDir);
    await expectMoved(dataDir);
  });

  if (inject('faults').isLong)
    it('loses nothing at random moments, several times in a row', async () => {
      const dataDir = await copyAlbum();
      const { seed, stops } = inject('faults');
      const random = seededRandom(seed);
      const delays = Array.from({ length: stops }, () => Math.round(random() * 2_000));
      const hint = `FAULTS_SEED=${seed}: killed ${delays.join(', ')} ms after the move began`;
      for (const delayMs of delays) {
        let beganAt = Infinity;
        await killWhen(dataDir, () => {
          if (beganAt === Infinity && hasBegun(dataDir)) beganAt = Date.now();
          // Once it is moved, the app's work would change the rows.
          return Date.now() >= beganAt + delayMs || isMoved(dataDir);
        });
        await expectWhole(dataDir, hint);
      }
      await expectMoved(dataDir, hint);
    });
});
