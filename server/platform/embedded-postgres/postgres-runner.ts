import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../process/startup-error.ts';

/** Runs the programs of Postgres, which do not run as root. */
export type PostgresRunner = {
  /** Owner of the files that the programs create. */
  uid: number;
  /** Starts a program in its own session, so that Ctrl-C in a terminal does not signal it. */
  start(program: string, args: string[], options: SpawnOptions): ChildProcess;
  /** Changes the owner of a file, or of a folder with its content, to `uid`. */
  own(path: string): Promise<void>;
};

/** Makes a process run as another user, by a command in front of it or by options. */
type Launcher = { prefix: string[]; uid: number; gid: number; options: SpawnOptions };

/** The kernel's overflow uid, which owns no files on Linux. */
const OVERFLOW_UID = 65_534;

/** No PG* variables, which change Postgres's behavior, and no secrets. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

/** On Linux, stops Postgres when the app is killed. */
const FOLLOW_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/** @throws StartupError if no launcher works on this system */
export async function choosePostgresRunner(postgres: string, dataDir: string): Promise<PostgresRunner> {
  const parent = dirname(dataDir);
  const isRoot = process.getuid?.() === 0;
  const errors: string[] = [];
  for (const launcher of isRoot ? launchersAsRoot() : launchersAsUser()) {
    const error = await probe(launcher, postgres, parent);
    if (error === null) return createRunner(launcher, isRoot);
    errors.push(error);
  }
  throw new StartupError(
    `The embedded Postgres cannot run here: ${[...new Set(errors)].join('; ') || 'no way to start it'}.\n` +
      'Start as an ordinary user who may read this folder, or name a Postgres of your own in DATABASE_URL.',
  );
}

function launchersAsUser(): Launcher[] {
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, options: {} };
  return [
    { ...user, prefix: FOLLOW_PARENT },
    { ...user, prefix: [] },
  ];
}

/** A user namespace, in which root's files stay accessible. Where namespaces are forbidden, the overflow uid. */
function launchersAsRoot(): Launcher[] {
  const caps = ['--inh-caps', '-all,+dac_override', '--ambient-caps', '-all,+dac_override'];
  const ids = ['--reuid', String(OVERFLOW_UID), '--regid', String(OVERFLOW_UID), '--clear-groups'];
  const overflow = { uid: OVERFLOW_UID, gid: OVERFLOW_UID };
  return [
    { prefix: ['unshare', '--user', ...FOLLOW_PARENT], uid: 0, gid: 0, options: {} },
    { prefix: ['unshare', '--user'], uid: 0, gid: 0, options: {} },
    { prefix: [...FOLLOW_PARENT, ...ids, ...caps, '--no-new-privs'], ...overflow, options: {} },
    { prefix: [], ...overflow, options: overflow },
  ];
}

/** Null if the launcher works, else the error. */
async function probe(launcher: Launcher, postgres: string, parent: string): Promise<string | null> {
  await allowTraversal(launcher, parent);
  const script = 'test "$(id -u)" != 0 && cd "$1" && exec "$2" --version';
  const child = run(launcher, 'sh', ['-c', script, 'sh', parent, postgres], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const result = await once(child, 'close').then(
    ([code]) => (code === 0 ? null : `exit code ${code}`),
    (error: Error) => error.message,
  );
  return result && (stderr.trim().split('\n').at(-1) || result);
}

/** Without capabilities, the overflow uid needs the x permission on the data folder. */
async function allowTraversal({ options }: Launcher, parent: string): Promise<void> {
  if (options.uid === undefined) return;
  const { mode } = await stat(parent);
  if (!(mode & 0o001)) await chmod(parent, (mode & 0o777) | 0o011);
}

function createRunner(launcher: Launcher, isRoot: boolean): PostgresRunner {
  return {
    uid: launcher.uid,
    start: (program, args, options) => run(launcher, program, args, options),
    own: async (path) => {
      if (isRoot) await changeOwner(path, launcher.uid, launcher.gid);
    },
  };
}

function run({ prefix, options: ids }: Launcher, program: string, args: string[], options: SpawnOptions) {
  const [command, ...rest] = [...prefix, program, ...args];
  return spawn(command!, rest, { ...options, ...ids, env: ENVIRONMENT, detached: true });
}

/** Changes the folder itself last, so that its owner tells whether all of it was done. */
async function changeOwner(path: string, uid: number, gid: number): Promise<void> {
  const entry = await lstat(path);
  if (entry.uid === uid) return;
  if (entry.isDirectory()) await changeOwnerOfContent(path, uid, gid);
  await chown(path, uid, gid);
}

async function changeOwnerOfContent(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await changeOwnerOfContent(path, uid, gid);
    if (!entry.isSymbolicLink()) await chown(path, uid, gid);
  }
}
