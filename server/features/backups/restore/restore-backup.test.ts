import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { openTarget } from '../../../app/compose-backup.ts';
import { createAllQueues } from '../../../app/compose-data.ts';
import type { Config } from '../../../platform/config/config.ts';
import { openDataFolder } from '../../../platform/data-folder/data-folder.ts';
import { findMigration, migrateSchema } from '../../../platform/db/migrate.ts';
import { openCopyClient } from '../../../platform/db/table-copy.ts';
import { createDiskObjectReader } from '../../../platform/object-storage/disk-object-storage.ts';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { readAllRows, storeActivity } from '../../../testing/assertions/all-rows.ts';
import {
  backUp,
  contentOf,
  emptyInstallation,
  readObjects,
  restore,
  temporaryFolder,
} from '../../../testing/data/backups.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../../../testing/data/factories.ts';
import { importZip } from '../../../testing/clients/imports.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { s3Settings } from '../../../testing/environment/s3-settings.ts';
import { mountSmallDisk } from '../../../testing/environment/small-disk.ts';
import { createEmptyDatabase } from '../../../testing/environment/test-database.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { runRestoreCommand } from '../backup-command.ts';
import { readBackup } from '../read-backup.ts';
import type { RestoreTarget } from './check-target.ts';

const LOGIN = { email: 'ana@mems.example', password: 'correct horse' };
/** The time of migration 0015. */
const UPLOAD_REJECTION_REASON = 1_795_432_616_949;
const OLD_IMAGE = randomUUID();
const SECRET = 'a session secret of more than thirty-two characters';

let server: TestServer;
/** Of the server, which is not used afterwards. */
let file: string;
let rows: Record<string, string[]>;
let objects: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  const ana = await server.signUp('ana');
  const pet = await addPet(ana, { name: 'Rex\t\\N "é" 🐕' }, await makePhoto());
  await addContact(ana);
  await addMemory(ana, { caption: 'a\nb\\', tags: 'sea, "quoted"', petId: pet.id });
  await server.drainJobs();
  // The second import refers to the copy of data.json that the first one made.
  for (const part of [1, 2]) {
    const url = new URL(`../../../testing/fixtures/export-v1-part-${part}.zip`, import.meta.url);
    expect((await importZip(server, ana, await readFile(url))).status).toBe('completed');
  }
  await deleteMemory(ana, (await addMemory(ana)).id);
  await storeActivity(ana);
  file = join(server.dataDir, 'album.tar');
  await backUp(server.context.config, file);
  rows = await readAllRows(server.databaseUrl);
  objects = await readObjects(server.context.storage);
  expect(Object.keys(objects)).toContainEqual(expect.stringMatching(/^imports\/.*\/data\.json$/));
});

const s3 = inject('s3');
const targets: [string, () => Promise<Record<string, string | undefined>>][] = [
  ['an external database and the disk', () => Promise.resolve({})],
  s3
    ? ['the embedded database and S3', async () => ({ DATABASE_URL: undefined, ...(await s3Settings(s3)) })]
    : ['the embedded database and the disk', () => Promise.resolve({ DATABASE_URL: undefined })],
];

const readSecret = ({ dataDir }: Config) => readFile(join(dataDir, 'secrets/session'), 'utf8');

async function restoreError(config: Config, path: string, ...options: string[]): Promise<string> {
  const error = await restore(config, path, ...options).then(
    () => new Error('It was restored'),
    (reason: Error) => reason,
  );
  return error.message.replaceAll(path, 'FILE');
}

async function run(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = await openCopyClient(url, 'test');
  await client.query(statement, values).finally(() => client.end());
}

describe('npm run restore', { timeout: 180_000 }, () => {
  it.each(targets)('restores every row and object into %s, and the app starts', async (_name, settings) => {
    const { config, settings: env } = await emptyInstallation(await settings());
    const lines = await restore(config, file);
    expect(lines.at(-1)).toBe('Everything is restored. Start the app with npm start.');
    expect(await contentOf(config)).toEqual({ rows, objects });
    expect(await readSecret(config)).toBe(await readSecret(server.context.config));
    const restored = await startTestServer({ env: { ...env, DATABASE_URL: env['DATABASE_URL'] } });
    const ana = restored.visitor();
    expect((await ana.post('/api/login', LOGIN)).status).toBe(200);
    const [memory] = await memoriesOf(ana);
    expect((await ana.get(memory!.imageUrl)).status).toBe(200);
    await restored.drainJobs();
    await restored.close();
  });

  it('restores into an installation that was started and never used, and only there', async () => {
    const { config, settings } = await emptyInstallation({ DATABASE_URL: undefined });
    const first = await startTestServer({ env: { ...settings, DATABASE_URL: undefined } });
    expect(await restoreError(config, file)).toMatch(/is in use by process/);
    await first.close();
    expect((await restore(config, file, '--check')).at(-1)).toBe('It can be restored here.');
    await restore(config, file);
    expect(await contentOf(config)).toEqual({ rows, objects });
    expect(await restoreError(config, file)).toBe(
      'The installation is not empty: it has an account.\nNothing was written. Restore into a new one.',
    );
  });

  it.each(targets)('checks %s that was never started, and creates nothing', async (_name, settings) => {
    const { config } = await emptyInstallation(await settings());
    expect((await restore(config, file, '--check')).at(-1)).toBe('It can be restored here.');
    expect(existsSync(config.dataDir)).toBe(false);
    await mkdir(config.dataDir);
    expect((await restore(config, file, '--check')).at(-1)).toBe('It can be restored here.');
    expect(await readdir(config.dataDir)).toEqual([]);
    if (config.database.kind === 'external') expect(await readAllTables(urlOf(config))).toEqual([]);
  });

  it('rejects other tables, other objects and a running app', async () => {
    const { config } = await emptyInstallation();
    const url = urlOf(config);
    await run(url, 'create table recipes (name text)');
    expect(await restoreError(config, file)).toContain('its database has other tables (recipes)');
    await run(url, 'drop table recipes');
    await mkdir(join(config.dataDir, 'objects/originals'), { recursive: true });
    await writeFile(join(config.dataDir, 'VERSION'), '1\n');
    await writeFile(join(config.dataDir, 'objects/originals/a'), 'bytes');
    expect(await restoreError(config, file)).toContain('its object storage has originals/a');
    await rm(join(config.dataDir, 'objects/originals'), { recursive: true });
    const running = await startTestServer({ env: { DATABASE_URL: url } });
    expect(await restoreError(config, file)).toContain('The app is running over this database.');
    await running.close();
    expect(await readdir(join(config.dataDir, 'objects'))).toEqual([]);
  });

  it.each([
    ['never started', null],
    ['already started with the new release', 'select'],
    ...(inject('faults').isLong
      ? [['already started, and has lost a schema', 'drop schema pgboss cascade']]
      : []),
  ] as [string, string | null][])(
    'migrates a backup of an older release, into an installation that was %s',
    async (_name, statement) => {
      const database = await createEmptyDatabase();
      onTestFinished(() => database.drop());
      const old = await emptyInstallation({ DATABASE_URL: database.url });
      await makeOldInstallation(old.config);
      const path = join(await temporaryFolder(), 'old.tar');
      await backUp(old.config, path);
      // One that was started has to be the backup's own.
      const { config, settings } = await emptyInstallation(statement ? { DATABASE_URL: undefined } : {});
      const env = { ...settings, DATABASE_URL: settings['DATABASE_URL'] };
      if (statement) {
        const started = await startTestServer({ env });
        await run(started.context.databaseUrl, statement);
        await started.close();
      }
      await restore(config, path);
      const restored = await startTestServer({ env });
      const { rows: users } = await restored.context.db.execute<{ username: string; is_admin: boolean }>(
        'select username, is_admin from users',
      );
      expect(users).toEqual([{ username: 'old', is_admin: false }]);
      expect(await readObjects(restored.context.storage)).toEqual(
        await readObjects(createDiskObjectReader(join(old.config.dataDir, 'objects'))),
      );
      await restored.close();
    },
  );

  it('rejects a database in which a newer release was started, unless the database is its own', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const old = await emptyInstallation({ DATABASE_URL: database.url });
    await makeOldInstallation(old.config);
    const path = join(await temporaryFolder(), 'old.tar');
    await backUp(old.config, path);
    const { config } = await emptyInstallation();
    await (await startTestServer({ env: { DATABASE_URL: urlOf(config) } })).close();
    expect(await restoreError(config, path)).toContain(
      'a newer release than the one of the backup was started',
    );
    expect(existsSync(config.dataDir)).toBe(false);
  });

  it('needs the same session secret, or the word that it is lost', async () => {
    const { config } = await emptyInstallation({ SESSION_SECRET: SECRET });
    expect(await restoreError(config, file)).toContain('Please remove SESSION_SECRET from the settings');
    await restore(config, file, '--new-secret');
    const path = join(await temporaryFolder(), 'configured.tar');
    await backUp(config, path);
    expect((await readBackup(path)).sessionSecret).toBeNull();
    const generated = await emptyInstallation();
    expect(await restoreError(generated.config, path)).toContain('Please set SESSION_SECRET to what it was');
    const same = await emptyInstallation({ SESSION_SECRET: SECRET });
    await restore(same.config, path);
  });

  it('is continued by a repetition, and until then the app does not start', async () => {
    const { config, settings } = await emptyInstallation();
    const broken = await emptyInstallation({ DATABASE_URL: urlOf(config), DATA_DIR: config.dataDir });
    await run(urlOf(config), `create schema mems_restore`);
    await run(urlOf(config), `create table mems_restore.marker (backup_id text primary key)`);
    const { header } = await readBackup(file);
    await run(urlOf(config), 'insert into mems_restore.marker values ($1)', [header.id]);
    await mkdir(join(config.dataDir, 'objects/originals'), { recursive: true });
    await writeFile(join(config.dataDir, 'VERSION'), '1\n');
    const [key = ''] = Object.keys(objects).filter((each) => each.startsWith('originals/'));
    await copyFile(join(server.dataDir, 'objects', key), join(config.dataDir, 'objects', key));
    await expect(startTestServer({ env: settings })).rejects.toThrow(
      'A restore of this installation was interrupted, so the album is not complete and does not start.\n' +
        'Please repeat it with the same file: npm run restore -- FILE',
    );
    await writeFile(join(config.dataDir, 'objects/originals/foreign'), 'bytes');
    expect(await restoreError(config, file)).toContain('originals/foreign, which is not in this backup');
    await rm(join(config.dataDir, 'objects/originals/foreign'));
    await restore(broken.config, file);
    expect(await contentOf(config)).toEqual({ rows, objects });
  });

  it('can be repeated where the restore of another backup was interrupted before its objects', async () => {
    const other = join(await temporaryFolder(), 'other.tar');
    await backUp(server.context.config, other);
    const { config } = await emptyInstallation();
    await interruptAtObject(1, config, other);
    await interruptAtObject(2, config, file);
    expect(await restoreError(config, other)).toContain(
      'The restore of another backup was interrupted here.',
    );
    await restore(config, file);
    expect(await contentOf(config)).toEqual({ rows, objects });
  });
});

const disk = await mountSmallDisk('2m');
afterAll(() => disk?.unmount());

describe.runIf(disk)('npm run restore to a disk that is too small', { timeout: 180_000 }, () => {
  const dataDir = join(disk?.folder ?? '', 'data');

  it('is rejected before it begins', async () => {
    const large = join(await temporaryFolder(), 'large.tar');
    await server.context.storage.write('flipbooks/large.pdf', Buffer.alloc(4 * 1024 * 1024), '');
    await backUp(server.context.config, large);
    await server.context.storage.delete('flipbooks/large.pdf');
    const { config } = await emptyInstallation({ DATA_DIR: dataDir });
    for (const options of [[], ['--check']])
      expect(await restoreError(config, large, ...options)).toMatch(
        /^The objects need \d MB of free disk, but there are only 2 MB\.\nNothing was written\./,
      );
    expect(existsSync(dataDir)).toBe(false);
  });

  it('says that the disk is full, and is finished by a repetition', async () => {
    const many = join(await temporaryFolder(), 'many.tar');
    const own = await startTestServer();
    const owner = await own.signUp('ana');
    await addMemory(owner);
    await storeActivity(owner);
    await disk?.resize('1m');
    // Each takes a whole block of the disk.
    for (let n = 0; n < 300; n++) await own.context.storage.write(`flipbooks/${n}.pdf`, Buffer.from('x'), '');
    await backUp(own.context.config, many);
    const { config } = await emptyInstallation({ DATA_DIR: dataDir });
    expect(await restoreError(config, many)).toMatch(
      /^The disk is full \(ENOSPC.*\), so not everything is restored\.\nPlease make room, then repeat the same command\.$/,
    );
    await disk?.resize('32m');
    await restore(config, many);
    expect((await contentOf(config)).rows).toEqual(await readAllRows(own.databaseUrl));
  });
});

describe('npm run backup', { timeout: 180_000 }, () => {
  it('of an installation that was never started creates nothing', async () => {
    const { config } = await emptyInstallation({ DATABASE_URL: undefined, SESSION_SECRET: SECRET });
    const path = join(await temporaryFolder(), 'album.tar');
    await expect(backUp(config, path)).rejects.toThrow('There is nothing to back up yet');
    expect(existsSync(config.dataDir)).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  it('replaces a link at the name of its draft, and does not write through it', async () => {
    const folder = await temporaryFolder();
    const victim = join(folder, 'victim');
    await writeFile(victim, 'bytes');
    await symlink(victim, join(folder, 'album.tar.partial'));
    await backUp(server.context.config, join(folder, 'album.tar'));
    expect(await readFile(victim, 'utf8')).toBe('bytes');
    expect((await lstat(join(folder, 'album.tar'))).isFile()).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['album.tar', 'victim']);
  });
});

/** Restores until the storage fails at an object. */
async function interruptAtObject(count: number, config: Config, path: string): Promise<void> {
  let started = 0;
  const open = openTarget(config, () => undefined);
  const toRestore = async (): Promise<RestoreTarget> => {
    const target = await open.toRestore();
    const writeStream: RestoreTarget['storage']['writeStream'] = (...object) => {
      if (++started === count) throw new Error('interrupted');
      return target.storage.writeStream(...object);
    };
    return { ...target, storage: { ...target.storage, writeStream } };
  };
  await expect(runRestoreCommand({ ...open, toRestore }, [path], () => undefined)).rejects.toThrow(
    'interrupted',
  );
}

/** As the release left it whose last migration was 0015. */
async function makeOldInstallation(config: Config): Promise<void> {
  const folder = await openDataFolder(config.dataDir);
  await folder.secret('session');
  await mkdir(join(folder.objectsDir, 'originals'));
  await writeFile(join(folder.objectsDir, 'originals', OLD_IMAGE), 'bytes');
  await folder.close();
  const client = await openCopyClient(urlOf(config), 'test');
  await migrateSchema(client, await findMigration(UPLOAD_REJECTION_REASON));
  const owner = randomUUID();
  await client.query(
    `insert into users (id, email, username, password_hash) values ($1, 'old@mems.example', 'old', '')`,
    [owner],
  );
  await client.query(
    `insert into images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder)
     values ($1, $2, $3, 'image/jpeg', 5, '', 1, 1, '')`,
    [OLD_IMAGE, owner, `originals/${OLD_IMAGE}`],
  );
  await client.end();
  await createAllQueues(urlOf(config));
}

async function readAllTables(url: string): Promise<string[]> {
  const client = await openCopyClient(url, 'test');
  const { rows: tables } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information)'",
  );
  await client.end();
  return tables.map(({ name }) => name);
}

function urlOf({ database }: Config): string {
  return database.kind === 'external' ? database.url : '';
}
