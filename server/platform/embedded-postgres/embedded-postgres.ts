import { copyFile, mkdir, open, realpath, rm, stat, truncate } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { hasCluster, makeCluster } from './postgres-cluster.ts';
import { clearLeftovers } from './postgres-leftovers.ts';
import { choosePostgresRunner, type PostgresRunner } from './postgres-runner.ts';
import { emptySocketFolder, makeSocketFolder } from './postgres-socket-folder.ts';
import { supervise, type Supervised } from './postgres-supervisor.ts';

export type EmbeddedPostgres = {
  /** Connection string for pg; stays the same when Postgres is started again. */
  connectionString: string;
  /** Fast shutdown, waits for the end. Safe to call twice. */
  stop(): Promise<void>;
};

type Options = {
  /** PGDATA; made when it is not there. Postgres's log lies beside it, with `.log` behind its name. */
  dataDir: string;
  /** The superuser's, as which the app connects. */
  password: string;
  /** Progress and trouble, in plain lines. */
  onLog: (line: string) => void;
  /** More of Postgres's settings, or others than ours. */
  settings?: Record<string, string>;
};

/** For a machine that does other things too. Only what the server itself has to say is logged, not failed queries. */
const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

const PATIENCE_MS = 60_000;
/** Nobody waits a minute for a server that ends at once each time. */
const MOST_DEATHS_AT_START = 5;
const STILL_STARTING = '57P03';
const WRONG_PASSWORD = '28P01';

/** A Postgres of our own over `dataDir`, kept running until it is stopped. @throws StartupError */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new StartupError(
      'The embedded Postgres does not run on Windows itself: use WSL, or set DATABASE_URL.',
    );
  }
  const { password, onLog } = options;
  const dataDir = await locate(options.dataDir);
  const { postgres, initdb } = await preparePostgresBinaries();
  const runner = await choosePostgresRunner(postgres, dataDir);
  const settings: Record<string, string> = { ...SETTINGS, ...options.settings };
  const socketFolder = await makeSocketFolder(dataDir, runner);
  try {
    if (!(await hasCluster(dataDir))) {
      onLog('Making the database (once, a few seconds)');
      await makeCluster({ initdb, dataDir, password, runner, isDurable: settings['fsync'] !== 'off' });
    }
    return await keepRunning({ postgres, dataDir, socketFolder, settings, password, runner, onLog });
  } catch (error) {
    await rm(socketFolder, { recursive: true, force: true });
    throw error;
  }
}

type Launch = {
  postgres: string;
  dataDir: string;
  socketFolder: string;
  settings: Record<string, string>;
  password: string;
  runner: PostgresRunner;
  onLog: (line: string) => void;
};

async function keepRunning(launch: Launch): Promise<EmbeddedPostgres> {
  const { dataDir, socketFolder, password, runner, onLog } = launch;
  const prepare = async () => {
    await clearLeftovers(dataDir, onLog);
    await emptySocketFolder(socketFolder);
    await runner.own(dataDir);
  };
  // Once here, so that what stands in the way for good is said at once.
  await prepare();
  const log = await openPostgresLog(`${dataDir}.log`);
  const args = argumentsOf(launch);
  const supervised = supervise({
    onLog,
    prepare,
    start: () => runner.start(launch.postgres, args, { stdio: ['ignore', log.fd, log.fd] }),
  });
  const stop = onlyOnce(async () => {
    await supervised.stop();
    await log.close();
    await rm(socketFolder, { recursive: true, force: true });
  });
  try {
    await waitUntilReady(addressOf(socketFolder, password, 'postgres'), supervised, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connectionString: addressOf(socketFolder, password, 'mems'), stop };
}

function argumentsOf({ dataDir, socketFolder, settings }: Launch): string[] {
  // A list of folders, in which quotes hold a name together.
  const socket = `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`;
  const set = [socket, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  return ['-D', dataDir, ...set.flatMap((setting) => ['-c', setting])];
}

/** The real path: it names the socket's folder, and an earlier Postgres over the same data is known by it. */
async function locate(dataDir: string): Promise<string> {
  const parent = dirname(resolve(dataDir));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return realpath(dataDir).catch(async () => join(await realpath(parent), basename(dataDir)));
}

/** The host in front is only for programs that want one; the folder of the socket is what counts. */
function addressOf(socketFolder: string, password: string, database: string): string {
  const query = new URLSearchParams({ host: socketFolder, port: SETTINGS.port, sslmode: 'disable' });
  return `postgres://postgres:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`;
}

async function waitUntilReady(address: string, supervised: Supervised, log: PostgresLog): Promise<void> {
  let until = Date.now() + PATIENCE_MS;
  while (Date.now() < until && supervised.deaths().length < MOST_DEATHS_AT_START) {
    const trouble = await makeDatabase(address).catch((error: Error & { code?: string }) => error);
    if (!trouble) return;
    if (trouble.code === WRONG_PASSWORD) {
      throw new StartupError(
        'The database was made with another password than secrets/postgres in the data folder holds. ' +
          'Put that file back from the backup that the database came from.',
      );
    }
    // It answers, and is putting its data in order after a crash: that may take as long as it takes.
    if (trouble.code === STILL_STARTING) until = Date.now() + PATIENCE_MS;
    await delay(50);
  }
  const reason = supervised.deaths().at(-1) ?? 'it does not answer';
  throw new StartupError(
    `The embedded Postgres does not start (${reason}). The end of its log:\n${await log.tail()}`,
  );
}

async function makeDatabase(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'mems'");
    if (!rowCount) await client.query('CREATE DATABASE mems');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function onlyOnce(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= action());
}

type PostgresLog = {
  /** For a child process to write to. */
  fd: number;
  /** The last lines, for an error message. */
  tail(): Promise<string>;
  close(): Promise<void>;
};

const MAX_LOG_BYTES = 2 * 1024 * 1024;
const TAIL_BYTES = 2_000;

/** Postgres's own log. A file of more than 2 MiB is moved to `.1`. */
async function openPostgresLog(file: string): Promise<PostgresLog> {
  const shorten = async () => {
    if ((await stat(file)).size <= MAX_LOG_BYTES) return;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  };
  const handle = await open(file, 'a+', 0o600);
  await shorten();
  const timer = setInterval(() => void shorten().catch(() => undefined), 60_000).unref();
  return {
    fd: handle.fd,
    async tail() {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(TAIL_BYTES),
        0,
        TAIL_BYTES,
        Math.max(0, size - TAIL_BYTES),
      );
      return buffer.toString('utf8', 0, bytesRead).trim();
    },
    async close() {
      clearInterval(timer);
      await handle.close();
    },
  };
}
