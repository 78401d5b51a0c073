import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processCommand, processStartedAt } from '../process/process-info.ts';
import { mountSmallDisk } from '../../testing/environment/small-disk.ts';
import { StartupError } from '../process/startup-error.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { POSTGRES_MAJOR, PREVIOUS_POSTGRES_MAJOR } from '../data-folder/postgres-switch.ts';

const disk = await mountSmallDisk('400m');

let folder: string;
let dataDir: string;
const started: EmbeddedPostgres[] = [];
const log: string[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mems-postgres-')));
  dataDir = join(folder, 'postgres');
});

afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
  log.length = 0;
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await disk?.unmount();
});

async function start(
  options: { password?: string; settings?: Record<string, string> } = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: 'secret',
    onLog: (line) => log.push(line),
    ...options,
  });
  started.push(postgres);
  return postgres;
}

async function ask<Row extends pg.QueryResultRow>(postgres: EmbeddedPostgres, text: string): Promise<Row[]> {
  const client = new pg.Client(postgres.connectionString);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

const socketFolder = (postgres: EmbeddedPostgres) =>
  new URL(postgres.connectionString).searchParams.get('host')!;

/** Polls until the test's timeout. */
async function until<T>(attempt: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const result = await attempt().catch(() => false as const);
    if (result !== false) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('startEmbeddedPostgres', { timeout: 60_000 }, () => {
  it('creates a UTF-8 database with a private socket, and leaves nothing behind after stop', async () => {
    const postgres = await start();
    const [row] = await ask<Record<string, string>>(
      postgres,
      "SELECT current_database() AS name, current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS tcp",
    );
    expect(row).toEqual({ name: 'mems', encoding: 'UTF8', tcp: '' });
    expect((await stat(socketFolder(postgres))).mode & 0o777).toBe(0o700);
    const pid = await postmasterPid();
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(await processStartedAt(pid)).toBeNull();
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
    expect(existsSync(socketFolder(postgres))).toBe(false);
  });

  it.each([POSTGRES_MAJOR, PREVIOUS_POSTGRES_MAJOR])('brings the binaries of Postgres %s', async (major) => {
    const { postgres } = await preparePostgresBinaries(major);
    const { stdout } = await promisify(execFile)(postgres, ['--version']);
    expect(stdout).toMatch(new RegExp(`^postgres \\(PostgreSQL\\) ${major}\\.`));
  });

  it('requires the password on the socket', async () => {
    const postgres = await start();
    for (const connectionString of [postgres.connectionString, postgres.superuserConnectionString]) {
      const address = connectionString.replace(/:[^:@]+@/, ':guess@');
      await expect(new pg.Client(address).connect()).rejects.toThrow(/password authentication failed/);
    }
  });

  it('gives the app a role that owns its database but cannot run programs or read files', async () => {
    const postgres = await start();
    expect(
      await ask(
        postgres,
        `select rolsuper, rolcreaterole, rolcreatedb, datdba::regrole::text as owner
           from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
      ),
    ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, owner: 'mems' }]);
    for (const statement of [
      `copy (select 1) to program 'touch ${join(folder, 'pwned')}'`,
      `copy (select 1) to '${join(folder, 'pwned')}'`,
      `select pg_read_file('postgresql.conf')`,
      'alter role mems superuser',
      'create function pwned() returns int language c as $$/lib/libc.so.6$$, $$getpid$$',
    ])
      await expect(ask(postgres, statement), statement).rejects.toThrow(/permission denied|must be/);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('reports a password that differs from the database’s', async () => {
    await expect(start({ password: 'another' })).rejects.toThrow(/another password than secrets\/postgres/);
  });

  it('restarts at the same address after a crash, with all commits', async () => {
    const postgres = await start();
    await ask(postgres, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    const rows = await until(
      async () => (await postmasterPid()) !== pid && ask(postgres, 'SELECT answer FROM kept'),
    );
    expect(rows).toEqual([{ answer: 42 }]);
    expect(log[0]).toMatch(/^Postgres has ended \(SIGKILL\); starting it again in 0.1 s\.$/);
  });

  it('stays down when it is stopped during a restart', async () => {
    const postgres = await start();
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    await until(async () => (await processStartedAt(pid)) === null);
    await postgres.stop();
    const left = await postmasterPid().catch(() => pid);
    expect(await processStartedAt(left)).toBeNull();
  });

  it('stops the Postgres of a killed app and starts another over the same data', async () => {
    const script = `
      import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))};
      await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, password: 'secret', onLog: () => {} });
      console.log('up');
    `;
    const app = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(app.stdout, 'data');
    const orphan = await postmasterPid();
    // A stopped process does not receive the parent death signal.
    process.kill(orphan, 'SIGSTOP');
    app.kill('SIGKILL');
    await once(app, 'exit');
    const postgres = await start();
    expect(log[0]).toBe(`A Postgres of an earlier run (process ${orphan}) still has the data: stopping it.`);
    expect(await processStartedAt(orphan)).toBeNull();
    expect(await ask(postgres, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('does not mistake an unrelated process for an earlier Postgres', async () => {
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    await start();
    expect(await processCommand(process.pid)).not.toBeNull();
    expect(await postmasterPid()).not.toBe(process.pid);
  });

  it('does not use another user’s folder in the temporary folder', async () => {
    const usual = socketFolder(await start());
    await started.pop()!.stop();
    const target = join(folder, 'target');
    await mkdir(target);
    await symlink(target, usual);
    try {
      const postgres = await start();
      expect(socketFolder(postgres)).not.toBe(usual);
      expect(await ask(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect((await lstat(usual)).isSymbolicLink()).toBe(true);
      expect(await readdir(target)).toEqual([]);
    } finally {
      await rm(usual);
    }
  });

  it('keeps one earlier log, and shortens the current one when it is large', async () => {
    dataDir = join(folder, 'logged', 'postgres');
    await mkdir(join(folder, 'logged'));
    for (const generation of ['first', 'second']) {
      const large = `${generation}\n`.padEnd(2 * 1024 * 1024 + 1, '.');
      await writeFile(`${dataDir}.log`, large, { mode: 0o600 });
      const postgres = await start({ settings: { fsync: 'off' } });
      await postgres.stop();
      expect(await readFile(`${dataDir}.log.1`, 'utf8')).toBe(large);
      expect(await readFile(`${dataDir}.log`, 'utf8')).toMatch(
        /^[\d-]{10} [\d:.]{12} UTC .*ready to accept connections/m,
      );
    }
    expect((await readdir(join(folder, 'logged'))).sort()).toEqual([
      'postgres',
      'postgres.log',
      'postgres.log.1',
    ]);
    for (const name of ['postgres.log', 'postgres.log.1'])
      expect((await stat(join(folder, 'logged', name))).mode & 0o777).toBe(0o600);
  });

  it('reports the end of Postgres’s log when it cannot start', async () => {
    const failure = await start({ settings: { shared_buffers: 'plenty' } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toMatch(
      /does not start \(exit code 1\)\. The end of its log:\n[^]*"shared_buffers": "plenty"/,
    );
  });

  it('starts over after an interrupted initdb', async () => {
    dataDir = join(folder, 'other', 'postgres');
    await mkdir(`${dataDir}.draft-abc`, { recursive: true });
    await writeFile(join(`${dataDir}.draft-abc`, 'PG_VERSION'), '18\n');
    await start({ settings: { fsync: 'off' } });
    expect((await readdir(join(folder, 'other'))).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it('does not change a folder with other files', async () => {
    dataDir = join(folder, 'foreign', 'postgres');
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'thesis.txt'), 'years of work');
    await expect(start({ settings: { fsync: 'off' } })).rejects.toThrow(/is not empty and holds no database/);
    expect(await readdir(dataDir)).toEqual(['thesis.txt']);
  });
});

describe.runIf(disk)('on a disk that is full', () => {
  it('starts again by its reserve, which it makes again when there is room', async () => {
    dataDir = join(await realpath(disk?.folder ?? ''), 'postgres');
    const postgres = await start();
    const hasReserve = () => Promise.resolve(existsSync(join(dataDir, 'mems.reserve')));
    await until(hasReserve);
    await ask(postgres, 'create table notes (text text)');
    const filler = (await disk?.fill()) ?? '';
    process.kill(await postmasterPid(), 'SIGKILL');
    await until(
      async () => (await ask(postgres, `insert into notes values ('kept') returning text`)).length === 1,
    );
    expect(await hasReserve()).toBe(false);
    await rm(filler);
    await until(hasReserve);
    expect(await ask(postgres, 'select text from notes')).toEqual([{ text: 'kept' }]);
  }, 60_000);
});
