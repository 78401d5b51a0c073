import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../startup-error.ts';

/** A way to run the programs of Postgres, which refuse to run as root. */
export type PostgresRunner = {
  /** Whom the kernel takes the programs' files for. */
  uid: number;
  /** Starts a program in a session of its own, which a terminal's Ctrl-C does not reach. */
  start(program: string, args: string[], options: SpawnOptions): ChildProcess;
  /** Gives a file or folder, and all that is in it, to the user that Postgres then takes itself for. */
  own(path: string): Promise<void>;
};

type Way = { prefix: string[]; uid: number; gid: number; options: SpawnOptions };

/** Of no person and, on Linux, of no files: what the kernel calls the overflow uid. */
const NOBODY = 65_534;

/** Nothing of ours: no PG* variable may change what Postgres does, and it has no use for the app's secrets. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

/** On Linux, a Postgres whose app was killed shuts down by itself. */
const FOLLOW_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/** @throws StartupError when Postgres can be run in no way from here. */
export async function choosePostgresRunner(postgres: string, dataDir: string): Promise<PostgresRunner> {
  const parent = dirname(dataDir);
  const isRoot = process.getuid?.() === 0;
  const troubles: string[] = [];
  for (const way of isRoot ? waysAsRoot() : waysAsUser()) {
    const trouble = await probe(way, postgres, parent);
    if (trouble === null) return runnerFor(way, isRoot);
    troubles.push(trouble);
  }
  throw new StartupError(
    `The embedded Postgres cannot run here: ${[...new Set(troubles)].join('; ') || 'no way to start it'}.\n` +
      'Start as an ordinary user who may read this folder, or name a Postgres of your own in DATABASE_URL.',
  );
}

function waysAsUser(): Way[] {
  const way = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, options: {} };
  return [
    { ...way, prefix: FOLLOW_PARENT },
    { ...way, prefix: [] },
  ];
}

/**
 * In a user namespace of its own a process is nobody, while files are still opened as root's. Where namespaces are
 * forbidden, it becomes nobody in earnest, keeping if possible the right to pass folders that are closed to others.
 */
function waysAsRoot(): Way[] {
  const caps = ['--inh-caps', '-all,+dac_override', '--ambient-caps', '-all,+dac_override'];
  const ids = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
  const nobody = { uid: NOBODY, gid: NOBODY };
  return [
    { prefix: ['unshare', '--user', ...FOLLOW_PARENT], uid: 0, gid: 0, options: {} },
    { prefix: ['unshare', '--user'], uid: 0, gid: 0, options: {} },
    { prefix: [...FOLLOW_PARENT, ...ids, ...caps, '--no-new-privs'], ...nobody, options: {} },
    { prefix: [], ...nobody, options: nobody },
  ];
}

/** Null when the program runs this way and can write beside its data; otherwise what is in the way. */
async function probe(way: Way, postgres: string, parent: string): Promise<string | null> {
  await letThrough(way, parent);
  const script = 'test "$(id -u)" != 0 && cd "$1" && exec "$2" --version';
  const child = run(way, 'sh', ['-c', script, 'sh', parent, postgres], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let trouble = '';
  child.stderr?.on('data', (chunk: Buffer) => (trouble += chunk.toString()));
  const result = await once(child, 'close').then(
    ([code]) => (code === 0 ? null : `exit code ${code}`),
    (error: Error) => error.message,
  );
  return result && (trouble.trim().split('\n').at(-1) || result);
}

/** Without special rights, nobody must at least be able to pass through the data folder itself. */
async function letThrough({ options }: Way, parent: string): Promise<void> {
  if (options.uid === undefined) return;
  const { mode } = await stat(parent);
  if (!(mode & 0o001)) await chmod(parent, (mode & 0o777) | 0o011);
}

function runnerFor(way: Way, isRoot: boolean): PostgresRunner {
  return {
    uid: way.uid,
    start: (program, args, options) => run(way, program, args, options),
    own: async (path) => {
      if (isRoot) await give(path, way.uid, way.gid);
    },
  };
}

function run(
  { prefix, options: ids }: Way,
  program: string,
  args: string[],
  options: SpawnOptions,
): ChildProcess {
  const [command, ...rest] = [...prefix, program, ...args];
  return spawn(command!, rest, { ...options, ...ids, env: ENVIRONMENT, detached: true });
}

/** The folder itself comes last: its owner tells whether all of it was done. */
async function give(path: string, uid: number, gid: number): Promise<void> {
  const entry = await lstat(path);
  if (entry.uid === uid) return;
  if (entry.isDirectory()) await giveContents(path, uid, gid);
  await chown(path, uid, gid);
}

async function giveContents(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveContents(path, uid, gid);
    if (!entry.isSymbolicLink()) await chown(path, uid, gid);
  }
}
