import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { readBackup } from '../../features/backups/read-backup.ts';
import { seededRandom } from '../../platform/seeded-random.ts';
import { BUNDLED_SCRIPTS_FOLDER } from '../../platform/process/bundled-script.ts';
import { createDiskObjectReader } from '../../platform/object-storage/disk-object-storage.ts';
import { readAllRows } from '../assertions/all-rows.ts';
import { emptyInstallation, readObjects, temporaryFolder } from '../data/backups.ts';
import { addMemory } from '../data/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { recordRound } from './record-round.ts';

const { seed: SEED, commandKills: KILLS } = inject('faults');
const PHOTOS = 10;
const MAX_ATTEMPTS = 10;
/** Of a run that is killed, a repeated one and their checks, on a busy machine. */
const TIMEOUT_MS = 60_000;

let server: TestServer;
let settings: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  const ana = await server.signUp('ana');
  for (let n = 0; n < PHOTOS; n++) await addMemory(ana, { caption: `photo ${n}` });
  await server.drainJobs();
  settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.dataDir };
});

function run(
  program: 'backup-main' | 'restore-main',
  env: Record<string, string>,
  file: string,
): ChildProcess {
  return spawn(process.execPath, [join(BUNDLED_SCRIPTS_FOLDER, `${program}.js`), file], {
    env: { NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @returns its messages, and how long it took */
async function runToEnd(
  ...args: Parameters<typeof run>
): Promise<{ messages: string; milliseconds: number }> {
  const startedAt = Date.now();
  const program = run(...args);
  const [output, errors] = await Promise.all([text(program.stdout!), text(program.stderr!)]);
  return { messages: output + errors, milliseconds: Date.now() - startedAt };
}

/** Starts it again, and kills it earlier, until the kill comes before its end. */
async function runAndKill(milliseconds: number, start: () => Promise<ChildProcess>): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const program = await start();
    const ended = once(program, 'exit');
    await Promise.race([pause(milliseconds / 2 ** attempt), ended]);
    program.kill('SIGKILL');
    await ended;
    if (program.signalCode === 'SIGKILL') return;
  }
  throw new Error(`It ended ${MAX_ATTEMPTS} times before it was killed`);
}

/** The first failure ends the test. */
async function recordKills(
  name: string,
  seed: number,
  killOnce: (n: number) => Promise<void>,
): Promise<void> {
  let kills = 0;
  let error: string | undefined;
  try {
    while (kills < KILLS) await killOnce(kills++);
  } catch (failure) {
    error = String(failure);
    throw failure;
  } finally {
    await recordRound({ command: name, seed, kills, error });
  }
}

describe(`at random moments (${KILLS}, seed ${SEED})`, () => {
  it(
    'a backup that is killed leaves no file, or a whole one, and can be made again at once',
    async () => {
      const random = seededRandom(SEED);
      const folder = await temporaryFolder();
      const whole = join(folder, 'whole.tar');
      const { milliseconds } = await runToEnd('backup-main', settings, whole);
      const { manifest } = await readBackup(whole);
      await recordKills('backup', SEED, async (n) => {
        const file = join(folder, `${n}.tar`);
        await runAndKill(random() * milliseconds, async () => {
          await rm(file, { force: true });
          return run('backup-main', settings, file);
        });
        if (existsSync(file)) {
          expect((await readBackup(file)).manifest.objects).toEqual(manifest.objects);
          await rm(file);
        }
        // Postgres may need a moment to see that the connection is gone.
        const again = async () => (await runToEnd('backup-main', settings, file)).messages;
        await expect.poll(again, { timeout: TIMEOUT_MS }).toMatch(/^Backed up/);
        expect((await readBackup(file)).manifest.objects).toEqual(manifest.objects);
      });
      expect((await readdir(folder)).filter((name) => !/^\w+\.tar$/.test(name))).toEqual([]);
    },
    TIMEOUT_MS * (2 + KILLS),
  );

  it(
    'a restore that is killed is finished by a repetition, and never starts before',
    async () => {
      const random = seededRandom(SEED + 1);
      const file = join(await temporaryFolder(), 'album.tar');
      await runToEnd('backup-main', settings, file);
      const expected = {
        rows: await readRows(server.databaseUrl),
        objects: await readObjects(server.context.storage),
      };
      const target = await emptyInstallation();
      const { milliseconds } = await runToEnd('restore-main', target.settings, file);
      const states: string[] = [];
      await recordKills('restore', SEED + 1, async () => {
        let env: Record<string, string> = {};
        await runAndKill(random() * milliseconds, async () => {
          env = (await emptyInstallation()).settings;
          return run('restore-main', env, file);
        });
        states.push(await startedWith(env));
        if (states.at(-1) !== 'everything')
          expect((await runToEnd('restore-main', env, file)).messages).toContain('Everything is restored.');
        expect({
          rows: await readRows(env['DATABASE_URL']!),
          objects: await readObjects(createDiskObjectReader(join(env['DATA_DIR']!, 'objects'))),
        }).toEqual(expected);
      });
      expect(['nothing', 'rejection', 'everything']).toEqual(expect.arrayContaining(states));
    },
    TIMEOUT_MS * (2 + KILLS),
  );
});

/** Without drizzle's, which are numbered anew: a migration that is killed uses up numbers. */
async function readRows(url: string): Promise<Record<string, string[]>> {
  const { 'drizzle.__drizzle_migrations': _, ...rows } = await readAllRows(url);
  return rows;
}

/** What an app over a half restored installation does. */
async function startedWith(env: Record<string, string>): Promise<string> {
  const app = await startTestServer({ env, overrides: { hasWorkers: false } }).catch((error: Error) => error);
  if (app instanceof Error) {
    expect(app.message).toContain('A restore of this installation was interrupted');
    return 'rejection';
  }
  const { 'public.memories': memories = [] } = await readAllRows(env['DATABASE_URL']!);
  const objects = await readObjects(app.context.storage);
  await app.close();
  expect([0, PHOTOS]).toContain(memories.length);
  expect(Object.keys(objects).length > 0).toBe(memories.length > 0);
  return memories.length > 0 ? 'everything' : 'nothing';
}
