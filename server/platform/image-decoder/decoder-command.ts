import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledScript } from '../bundled-script.ts';
import { projectRoot } from '../project-root.ts';

/** Contains the programs that isolate and limit the decoder. */
export const DECODER_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

const ISOLATION_CHECK_TIMEOUT_MS = 5_000;

/** A program with its arguments. */
type Command = [string, ...string[]];

/** Node 22.13 and 23.5 renamed it. */
const PERMISSION_FLAG = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/**
 * The decoder's code may read only itself: no other files, no writes, no programs. This does not bind native code such as
 * libvips, which `isolated` does.
 */
export function restrictedNode(script: string): Command {
  const packages = join(projectRoot, 'node_modules');
  const readable = [
    `${dirname(script)}/*`,
    ...new Set([packages, realpathSync(packages)].map((folder) => `${folder}/*`)),
    join(projectRoot, 'package.json'),
    '/proc/self/status',
  ];
  return [
    process.execPath,
    PERMISSION_FLAG,
    '--allow-addons',
    // Its garbage is the photos in messages: with little room they are freed soon.
    '--max-semi-space-size=1',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // About the two flags above.
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    script,
  ];
}

/** Kept from the decoder: the network and the hidden folders, only the network, or nothing. */
export type Isolation = 'full' | 'no-network' | 'none';

/** With `--kill-child`, the command ends with `unshare`. */
const UNSHARE = 'unshare --user --map-root-user --net --pid --fork --kill-child'.split(' ') as Command;
/** `unshare` waits for the command, so it must survive the signals that the decoder ignores. */
const IGNORE_SIGNALS = `trap '' HUP INT TERM; exec "$@"`;
const DROP_CAPABILITIES = 'setpriv --bounding-set -all --inh-caps -all --no-new-privs'.split(' ');
/** Its arguments are the folders, `--`, and the command. An empty read-only folder covers each of them. */
const HIDE_FOLDERS = `while [ "$1" != -- ]; do
  [ ! -d "$1" ] || mount -t tmpfs -o ro tmpfs "$1" || exit
  shift
done
shift
exec "$@"`;
const CAN_START = 'test -x "$1" && test -r "$2" && test -r "$3"';

/**
 * Runs a command in separate namespaces, which only Linux has and some systems forbid. Without capabilities it cannot undo
 * them, and without the PIDs of other processes it cannot signal them.
 */
export function isolated(command: Command, isolation: Isolation, hiddenFolders: string[] = []): Command {
  if (isolation === 'none') return command;
  const harmless = [...DROP_CAPABILITIES, ...command];
  const unshare: Command = ['sh', '-c', IGNORE_SIGNALS, 'sh', ...UNSHARE];
  if (isolation === 'no-network') return [...unshare, ...harmless];
  return [...unshare, '--mount', 'sh', '-c', HIDE_FOLDERS, 'sh', ...hiddenFolders, '--', ...harmless];
}

/** The best that this system allows. The app or Node may be in a hidden folder, such as /run/media. */
export async function findIsolation(
  hiddenFolders: string[],
  { path = DECODER_PATH, script = bundledScript('decoder-process'), node = process.execPath } = {},
): Promise<Isolation> {
  const sharp = join(projectRoot, 'node_modules/sharp');
  const check: Command = ['sh', '-c', CAN_START, 'sh', node, script, sharp];
  for (const isolation of ['full', 'no-network'] as const)
    if (await succeeds(isolated(check, isolation, hiddenFolders), path)) return isolation;
  return 'none';
}

function succeeds([program, ...args]: Command, path: string): Promise<boolean> {
  const options = { env: { PATH: path }, timeout: ISOLATION_CHECK_TIMEOUT_MS };
  return new Promise((resolve) => execFile(program, args, options, (error) => resolve(!error)));
}

/** The kernel enforces the limit. Node cannot set limits of its child processes, so the shell does. */
export function memoryLimited(command: Command, limitKib: number): Command {
  return ['sh', '-c', `ulimit -d ${limitKib}; exec "$@"`, 'sh', ...command];
}
