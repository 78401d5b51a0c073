import { copyFile, mkdir, open, readFile, realpath, rm, stat, truncate } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStartedAt } from '../process/process-info.ts';
import { StartupError } from '../process/startup-error.ts';
import { APP_ROLE, appRolePassword, prepareAppDatabase, SUPERUSER } from './app-role.ts';
import { keepDiskReserve, releaseDiskReserve } from './disk-reserve.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import type { PostgresMajor } from '../data-folder/postgres-switch.ts';
import { hasCluster, makeCluster } from './postgres-cluster.ts';
import { clearLeftovers } from './postgres-leftovers.ts';
import { choosePostgresRunner, type PostgresRunner } from './postgres-runner.ts';
import { emptySocketFolder, makeSocketFolder } from './postgres-socket-folder.ts';
import { supervise, type Supervised } from './postgres-supervisor.ts';

export type EmbeddedPostgres = {
  /** As the app's role, which owns its database and is no superuser. Unchanged by a restart of Postgres. */
  connectionString: string;
  /** For tests. */
  superuserConnectionString: string;
  socketFolder: string;
  /** Fast shutdown. Idempotent. */
  stop(): Promise<void>;
};

type Options = {
  /** PGDATA; created if missing. Postgres logs to `<dataDir>.log`. */
  dataDir: string;
  password: string;
  onLog: (line: string) => void;
  /** Overrides SETTINGS. */
  settings?: Record<string, string>;
  /** Must match an existing cluster's. */
  major?: PostgresMajor;
};

/** Small, for a shared machine. Failed queries are not logged. */
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

const START_TIMEOUT_MS = 60_000;
/** Fails before the timeout if Postgres exits at once each time. */
const MAX_EXITS_AT_START = 5;
const CANNOT_CONNECT_NOW = '57P03';
const INVALID_PASSWORD = '28P01';

/** The address of a Postgres that another process runs over `dataDir`; null if none runs. */
export async function findRunningPostgres({
  dataDir,
  password,
}: Pick<Options, 'dataDir' | 'password'>): Promise<string | null> {
  const pidFile = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , , socketFolder] = pidFile.split('\n');
  if (!pid || !socketFolder || (await processStartedAt(Number(pid))) === null) return null;
  return appConnectionString(socketFolder, password);
}

/** Runs Postgres over `dataDir` and restarts it whenever it exits. @throws StartupError */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new StartupError(
      'The embedded Postgres does not run on Windows itself: use WSL, or set DATABASE_URL.',
    );
  }
  const { password, onLog } = options;
  const dataDir = await resolveDataDir(options.dataDir);
  const { postgres, initdb } = await preparePostgresBinaries(options.major);
  const runner = await choosePostgresRunner(postgres, dataDir);
  const settings: Record<string, string> = { ...SETTINGS, ...options.settings };
  const socketFolder = await makeSocketFolder(dataDir, runner);
  try {
    if (!hasCluster(dataDir)) {
      onLog('Making the database (once, a few seconds)');
      await makeCluster({ initdb, dataDir, password, runner, isDurable: settings['fsync'] !== 'off' });
    }
    return await keepRunning({ postgres, dataDir, socketFolder, settings, password, runner, onLog });
  } catch (error) {
    await rm(socketFolder, { recursive: true, force: true });
    throw error;
  }
}

type Launch = Omit<Required<Options>, 'major'> & {
  postgres: string;
  socketFolder: string;
  runner: PostgresRunner;
};

async function keepRunning(launch: Launch): Promise<EmbeddedPostgres> {
  const { dataDir, socketFolder, password, runner, onLog } = launch;
  const prepare = async () => {
    await clearLeftovers(dataDir, onLog);
    await releaseDiskReserve(dataDir, onLog);
    await emptySocketFolder(socketFolder);
    await runner.own(dataDir);
  };
  // Before supervision, so that a permanent error is reported instead of retried.
  await prepare();
  const log = await openPostgresLog(`${dataDir}.log`);
  const args = toArguments(launch);
  const supervised = supervise({
    onLog,
    prepare,
    start: () => runner.start(launch.postgres, args, { stdio: ['ignore', log.fd, log.fd] }),
  });
  const reserve = keepDiskReserve(dataDir, onLog);
  const close = async () => {
    await reserve.close();
    await supervised.stop();
    await log.close();
    await rm(socketFolder, { recursive: true, force: true });
  };
  const superuserUrl = (database: string) => toConnectionString(socketFolder, SUPERUSER, password, database);
  let closed: Promise<void> | undefined;
  const stop = () => (closed ??= close());
  try {
    await waitUntilReady(() => prepareAppDatabase(superuserUrl, password), supervised, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    connectionString: appConnectionString(socketFolder, password),
    superuserConnectionString: superuserUrl(APP_ROLE),
    socketFolder,
    stop,
  };
}

function toArguments({ dataDir, socketFolder, settings }: Launch): string[] {
  // The setting is a list, so a path with a comma must be quoted.
  const socket = `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`;
  const set = [socket, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  return ['-D', dataDir, ...set.flatMap((setting) => ['-c', setting])];
}

/** The real path, by which a Postgres of an earlier run is recognized. */
async function resolveDataDir(dataDir: string): Promise<string> {
  const parent = dirname(resolve(dataDir));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return realpath(dataDir).catch(async () => join(await realpath(parent), basename(dataDir)));
}

function appConnectionString(socketFolder: string, password: string): string {
  return toConnectionString(socketFolder, APP_ROLE, appRolePassword(password), APP_ROLE);
}

/** The `host` parameter overrides `localhost`, which some programs require. */
function toConnectionString(socketFolder: string, role: string, password: string, database: string): string {
  const query = new URLSearchParams({ host: socketFolder, port: SETTINGS.port, sslmode: 'disable' });
  return `postgres://${role}:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`;
}

async function waitUntilReady(
  prepareDatabase: () => Promise<void>,
  supervised: Supervised,
  log: PostgresLog,
): Promise<void> {
  let until = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < until && supervised.exitReasons().length < MAX_EXITS_AT_START) {
    const error = await prepareDatabase().then(
      () => null,
      (reason: Error & { code?: string }) => reason,
    );
    if (!error) return;
    if (error.code === INVALID_PASSWORD) {
      throw new StartupError(
        'The database was made with another password than secrets/postgres in the data folder holds. ' +
          'Put that file back from the backup that the database came from.',
      );
    }
    // Recovery after a crash may take any time.
    if (error.code === CANNOT_CONNECT_NOW) until = Date.now() + START_TIMEOUT_MS;
    await delay(50);
  }
  const reason = supervised.exitReasons().at(-1) ?? 'it does not answer';
  throw new StartupError(
    `The embedded Postgres does not start (${reason}). The end of its log:\n${await log.tail()}`,
  );
}

type PostgresLog = Awaited<ReturnType<typeof openPostgresLog>>;

const MAX_LOG_BYTES = 2 * 1024 * 1024;
const TAIL_BYTES = 2_000;

/** Copies a log above 2 MiB to `.1` and truncates it. */
async function openPostgresLog(file: string) {
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
      const position = Math.max(0, (await handle.stat()).size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(TAIL_BYTES), position });
      return buffer.toString('utf8', 0, bytesRead).trim();
    },
    async close() {
      clearInterval(timer);
      await handle.close();
    },
  };
}
