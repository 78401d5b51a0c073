import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Readiness } from '#shared/api/health';
import type { AdminBackup } from '#shared/transfers/backup';
import { lockForBackup } from '../../../platform/db/backup-lock.ts';
import { openCopyClient } from '../../../platform/db/table-copy.ts';
import { createDiskObjectStorage } from '../../../platform/object-storage/disk-object-storage.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { readAllRows, storeActivity } from '../../../testing/assertions/all-rows.ts';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { emptyInstallation, readObjects, restore, temporaryFolder } from '../../../testing/data/backups.ts';
import { addMemory, deleteMemory } from '../../../testing/data/factories.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { nightlyBackupJob } from './nightly-backup-job.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let now: Date;
let folder: string;
let server: TestServer;
let ana: TestClient;
/** Of objects that were read. */
let opened: string[];

beforeEach(async () => {
  now = new Date(2026, 10, 20, 12);
  folder = join(await temporaryFolder(), 'backups');
  opened = [];
  server = await startServer();
  ana = await server.signUpAdmin('ana');
});

async function startServer(env: NodeJS.ProcessEnv = {}): Promise<TestServer> {
  const storage = await createDiskObjectStorage({
    folder: await temporaryFolder(),
    secret: 's'.repeat(32),
    clock: systemClock,
    diskSpace: null,
  });
  const counting: ObjectStorage = {
    ...storage,
    open: (key, range) => {
      opened.push(key);
      return storage.open(key, range);
    },
  };
  return startTestServer({
    env: { BACKUP_DIR: folder, BACKUP_AT: '03:30', BACKUP_KEEP: '2', ...env },
    overrides: { clock: { now: () => now }, storage: counting },
  });
}

const runJob = (at = server) => nightlyBackupJob.handle(at.context, {});
const backups = async () => (await readdir(folder)).filter((name) => name.endsWith('.tar')).sort();
const hashedFiles = async () =>
  (await readdir(join(folder, 'objects'), { recursive: true })).filter((name) => name.length > 60);
const pass = (milliseconds: number) => void (now = new Date(now.getTime() + milliseconds));
const readiness = async (at = server) => (await at.visitor().get('/api/health/ready')).body as Readiness;
const seenByAdmin = async () => ((await ana.get('/api/admin/backup')).body as AdminBackup).backup;

describe('the nightly backup', { timeout: 120_000 }, () => {
  it('is made when its time has passed, once, and can be restored', async () => {
    await addMemory(ana);
    await server.drainJobs();
    await storeActivity(ana);
    // A restored copy is another installation.
    const rows = { ...(await readAllRows(server.databaseUrl)), 'public.installation': [] };
    await runJob();
    await runJob();
    expect(await backups()).toHaveLength(1);
    now = new Date(2026, 10, 21, 3, 29);
    await runJob();
    expect(await backups()).toHaveLength(1);
    now = new Date(2026, 10, 21, 3, 30);
    await runJob();
    const [first = '', second = ''] = await backups();
    expect(second).not.toBe('');
    const { config } = await emptyInstallation();
    await restore(config, join(folder, first));
    const url = config.database.kind === 'external' ? config.database.url : '';
    expect(await readAllRows(url)).toEqual(rows);
    const restored = await startTestServer({ env: { DATABASE_URL: url, DATA_DIR: config.dataDir } });
    expect(await readObjects(restored.context.storage)).toEqual(await readObjects(server.context.storage));
  });

  it('deletes nothing in its folder that it did not make, and is complete beside that', async () => {
    const strangers = ['objects/originals/01a20f12-ab63-7122-bac7-bec082713582', 'objects/ab/note.txt'];
    for (const path of strangers) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), 'not ours');
    }
    await addMemory(ana);
    await server.drainJobs();
    await runJob();
    expect(await backups()).toHaveLength(1);
    expect(await seenByAdmin()).toMatchObject({ failure: null });
    for (const path of strangers) expect(await readFile(join(folder, path), 'utf8')).toBe('not ours');
  });

  it('is complete although its cleanup fails, and is not repeated for that', async () => {
    const name = 'ab'.padEnd(64, '0');
    // A folder with the name of a file that the cleanup deletes.
    await mkdir(join(folder, 'objects/ab', name, 'not ours'), { recursive: true });
    for (let hour = 0; hour < 4; hour++) {
      await runJob();
      pass(2 * HOUR_MS);
    }
    expect(await backups()).toHaveLength(1);
    expect(await seenByAdmin()).toMatchObject({ ageHours: 8, failure: null });
  });

  it('is not made into the folder of another installation, and changes nothing there', async () => {
    await addMemory(ana);
    await server.drainJobs();
    await runJob();
    await writeFile(join(folder, 'partial-of-the-other'), 'bytes');
    const before = await readFolder();
    const other = await startServer();
    const admin = await other.signUpAdmin('first');
    await runJob(other);
    const owner = (await readFile(join(folder, 'OWNER'), 'utf8')).trim();
    const { backup } = (await admin.get('/api/admin/backup')).body as AdminBackup;
    expect(backup?.failure?.reason).toContain(
      `The backups in ${folder} are another installation's (${owner}).`,
    );
    expect(await readFolder()).toEqual(before);
  });

  it('writes nothing while the disk of its folder is not mounted', async () => {
    await addMemory(ana);
    await server.drainJobs();
    await runJob();
    const disk = `${folder}-disk`;
    await rename(folder, disk);
    pass(DAY_MS);
    // The app starts without the folder, or the folder below the mount point is empty.
    const beside = await startServerBeside();
    expect(existsSync(folder)).toBe(false);
    await runJob(beside);
    expect((await seenByAdmin())?.failure?.reason).toContain(`The earlier backups are not in ${folder}`);
    expect(existsSync(folder)).toBe(false);
    await mkdir(folder);
    pass(HOUR_MS);
    await runJob();
    expect((await seenByAdmin())?.failure?.at).toBe(now.toISOString());
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(disk, folder);
    pass(HOUR_MS);
    await runJob();
    expect((await seenByAdmin())?.failure).toBeNull();
    expect(await backups()).toHaveLength(2);
  });

  it('begins in a new folder with an empty owner file', async () => {
    await runJob();
    await rename(folder, `${folder}-old`);
    await mkdir(folder);
    await writeFile(join(folder, 'OWNER'), '');
    pass(DAY_MS);
    await runJob();
    expect(await seenByAdmin()).toMatchObject({ ageHours: 0, failure: null });
    expect(await backups()).toHaveLength(1);
  });

  it('of a restored copy needs another folder, or that it takes over the one of the original', async () => {
    await addMemory(ana);
    await server.drainJobs();
    await runJob();
    const { config } = await emptyInstallation();
    await restore(config, join(folder, (await backups())[0]!));
    const url = config.database.kind === 'external' ? config.database.url : '';
    const copy = await startServer({ DATABASE_URL: url });
    await copyObjects(server, copy);
    pass(DAY_MS);
    await runJob(copy);
    expect(await backups()).toHaveLength(1);
    await writeFile(join(folder, 'OWNER'), '');
    pass(HOUR_MS);
    await runJob(copy);
    expect(await backups()).toHaveLength(2);
    pass(DAY_MS);
    await runJob();
    expect((await seenByAdmin())?.failure?.reason).toContain("another installation's");
    expect(await backups()).toHaveLength(2);
  });

  it('is not made into a data folder, or into the photos of one', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'VERSION'), '1\n');
    await expect(startServer({ BACKUP_DIR: dataDir })).rejects.toThrow(
      'BACKUP_DIR is a data folder, or in one',
    );
    const other = await temporaryFolder();
    const inObjects = join(other, 'objects/backups');
    await expect(startServer({ DATA_DIR: other, BACKUP_DIR: inObjects })).rejects.toThrow(
      'BACKUP_DIR is a data folder, or in one',
    );
    expect(existsSync(inObjects)).toBe(false);
  });

  it('costs only what is new, and drops what no kept backup needs', async () => {
    const old = await addMemory(ana, { photo: await makePhoto({ width: 80 }) });
    await server.drainJobs();
    await runJob();
    const first = await hashedFiles();
    expect(first.length).toBeGreaterThan(1);
    opened = [];
    await deleteMemory(ana, old.id);
    await ana.request('DELETE', `/api/memories/deleted/${old.id}`);
    const added = await addMemory(ana);
    await server.drainJobs();
    pass(DAY_MS);
    await runJob();
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.every((key) => key.includes(added.imageUrl.replace('/objects/', '')))).toBe(true);
    opened = [];
    expect(await hashedFiles()).toEqual(expect.arrayContaining(first));
    pass(DAY_MS);
    await runJob();
    expect(opened).toEqual([]);
    expect(await backups()).toHaveLength(2);
    const left = await hashedFiles();
    expect(left.filter((name) => first.includes(name))).toEqual([]);
    expect(left).toHaveLength(new Set(Object.values(await readObjects(server.context.storage))).size);
  });

  it('is made once when several processes run', async () => {
    const others = [await startServerBeside(), await startServerBeside()];
    await Promise.all([runJob(), ...others.map((other) => runJob(other))]);
    expect(await backups()).toHaveLength(1);
    const { rows } = await server.context.db.execute('select from backup_runs');
    expect(rows).toHaveLength(1);
  });

  it('that fails is shown, tells administrators once a day, and is tried again', async () => {
    const ben = await server.signUp('ben');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file');
    await runJob();
    const failure = { at: now.toISOString(), reason: expect.stringContaining('ENOTDIR') as string };
    expect(await seenByAdmin()).toEqual({ lastBackupAt: null, ageHours: null, failure });
    expect(await readiness()).toMatchObject({
      backup: { lastBackupAt: null, failure },
      warnings: expect.arrayContaining([
        expect.stringMatching(/^The nightly backup failed: ENOTDIR/),
      ]) as string[],
    });
    for (let hour = 0; hour < 24; hour++) {
      pass(HOUR_MS);
      await runJob();
    }
    await server.drainJobs();
    const mails = (await readOutbox(server.dataDir)).filter(
      ({ subject }) => subject === 'The nightly backup failed',
    );
    expect(mails.map(({ to }) => to)).toEqual(['ana@mems.example', 'ana@mems.example']);
    expect(mails[0]?.text).toContain('There is no complete backup yet.');
    await rm(folder);
    pass(HOUR_MS);
    await runJob();
    expect(await backups()).toHaveLength(1);
    pass(5 * HOUR_MS);
    expect(await seenByAdmin()).toEqual({
      lastBackupAt: new Date(now.getTime() - 5 * HOUR_MS).toISOString(),
      ageHours: 5,
      failure: null,
    });
    expect((await readiness()).backup).toMatchObject({ ageHours: 5, failure: null });
    pass(DAY_MS);
    expect((await readiness()).warnings).toContain('The last backup is 29 hours old.');
    expect((await ben.get('/api/admin/backup')).status).toBe(403);
    expect((await server.visitor().get('/api/admin/backup')).status).toBe(401);
  });

  it.each<[string, (client: pg.Client) => Promise<void>]>([
    ['one that was started by hand', lockForBackup],
    [
      'one of another process',
      // As `withNightlyBackupLock` does.
      async (client) => void (await client.query('select pg_advisory_lock(6367004)')),
    ],
  ])('that %s keeps from being made is announced when the last one is old', async (_other, lock) => {
    await runJob();
    const client = await openCopyClient(server.databaseUrl, 'a backup that hangs');
    await lock(client);
    const announced = async () => {
      await runJob();
      await server.drainJobs();
      return (await readOutbox(server.dataDir)).filter(
        ({ subject }) => subject === 'The nightly backup failed',
      );
    };
    pass(26 * HOUR_MS);
    expect(await announced()).toEqual([]);
    expect(await seenByAdmin()).toMatchObject({ failure: null });
    pass(HOUR_MS);
    const reason = 'The last backup is 27 hours old. Another backup has not finished.';
    expect(await announced()).toMatchObject([
      { to: 'ana@mems.example', text: expect.stringContaining(reason) as string },
    ]);
    expect(await seenByAdmin()).toMatchObject({ failure: { reason } });
    for (let hour = 0; hour < 23; hour++) {
      pass(HOUR_MS);
      expect(await announced()).toHaveLength(1);
    }
    pass(HOUR_MS);
    expect(await announced()).toHaveLength(2);
    await client.end();
    pass(HOUR_MS);
    await runJob();
    expect(await backups()).toHaveLength(2);
    expect(await seenByAdmin()).toMatchObject({ ageHours: 0, failure: null });
  });

  it('that never completes is a warning after 26 hours, also of an app that is restarted', async () => {
    const warning = 'There is no complete backup yet.';
    pass(26 * HOUR_MS);
    expect((await readiness()).warnings).not.toContain(warning);
    pass(HOUR_MS);
    expect((await readiness()).warnings).toContain(warning);
    const restarted = await startServerBeside();
    expect((await readiness(restarted)).warnings).toContain(warning);
    await runJob();
    expect((await readiness(restarted)).warnings).not.toContain(warning);
  });

  it('reads earlier bytes again, notices damage, and repairs it', async () => {
    await addMemory(ana);
    await server.drainJobs();
    await runJob();
    const [name = ''] = await hashedFiles();
    const file = join(folder, 'objects', name);
    const whole = await readFile(file);
    await writeFile(join(folder, 'partial-of-a-killed-process'), 'bytes');
    await writeFile(file, Buffer.concat([Buffer.from([whole[0]! ^ 1]), whole.subarray(1)]));
    for (let night = 0; night < 30 && !(await seenByAdmin())?.failure; night++) {
      pass(DAY_MS);
      await runJob();
    }
    expect((await seenByAdmin())?.failure?.reason).toMatch(
      /^\S+ is not complete: of the object \S+, \S+ is damaged\.$/,
    );
    expect((await readdir(folder)).filter((each) => each.startsWith('partial-'))).toEqual([]);
    pass(HOUR_MS);
    await runJob();
    expect((await seenByAdmin())?.failure).toBeNull();
    expect(await readFile(file)).toEqual(whole);
  });

  it('repairs a file that the disk cannot read', async () => {
    await server.context.storage.write('originals/empty', Buffer.alloc(0), '');
    await runJob();
    const name = createHash('sha256').digest('hex');
    const file = join(folder, 'objects', name.slice(0, 2), name);
    await rm(file);
    // Has the same size, and reading it fails with EIO.
    await symlink('/proc/self/mem', file);
    for (let night = 0; night < 30 && !(await seenByAdmin())?.failure; night++) {
      pass(DAY_MS);
      await runJob();
    }
    expect((await seenByAdmin())?.failure?.reason).toMatch(
      /of the object originals\/empty, \S+ is damaged\.$/,
    );
    pass(HOUR_MS);
    await runJob();
    expect((await seenByAdmin())?.failure).toBeNull();
    expect((await lstat(file)).isFile()).toBe(true);
  });

  it('is not made unless it is configured', async () => {
    const other = await startTestServer();
    const admin = await other.signUpAdmin('first');
    await runJob(other);
    expect((await admin.get('/api/admin/backup')).body).toEqual({ backup: null });
    expect(await readdir(other.dataDir)).not.toContain('backups');
  });
});

/** The bytes and times of all files in the backup folder. */
async function readFolder() {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return Promise.all(
    files.sort().map(async (file) => [file, (await stat(file)).mtimeMs, await readFile(file, 'base64')]),
  );
}

async function copyObjects(from: TestServer, to: TestServer): Promise<void> {
  for await (const { key } of from.context.storage.list())
    await to.context.storage.write(key, (await from.context.storage.read(key))!, 'image/jpeg');
}

/** Over the same database. */
async function startServerBeside(): Promise<TestServer> {
  return startServer({ DATABASE_URL: server.databaseUrl });
}
