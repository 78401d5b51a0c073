import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // About the two flags above.
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    script,
  ];
}

/** An empty read-only folder covers the hidden one, and without capabilities nothing can remove it. */
const ENTER = `{ [ -z "$0" ] || mount -t tmpfs -o ro tmpfs "$0"; } &&
  exec setpriv --bounding-set -all --inh-caps -all --no-new-privs "$@"`;

const RUN_ISOLATED = `hidden=$1 enter=$2
shift 2
isolated() { unshare --user --map-root-user --net --mount sh -c "$enter" "$hidden" "$@"; }
if isolated true 2>/dev/null
then exec unshare --user --map-root-user --net --mount sh -c "$enter" "$hidden" "$@"
else exec "$@"
fi`;

/**
 * Runs a command without a network, without the hidden folder and without access to other processes. Only Linux has such
 * namespaces, and some systems forbid them: then it runs the command as it is.
 */
export function isolated(command: Command, hiddenFolder: string | null): Command {
  return ['sh', '-c', RUN_ISOLATED, 'sh', hiddenFolder ?? '', ENTER, ...command];
}

/** Whether this system allows what `isolated` does. */
export function canIsolate(hiddenFolder: string | null, path = DECODER_PATH): Promise<boolean> {
  const args = [
    '--user',
    '--map-root-user',
    '--net',
    '--mount',
    'sh',
    '-c',
    ENTER,
    hiddenFolder ?? '',
    'true',
  ];
  const options = { env: { PATH: path }, timeout: ISOLATION_CHECK_TIMEOUT_MS };
  return new Promise((resolve) => execFile('unshare', args, options, (error) => resolve(!error)));
}

/** The kernel enforces the limit. Node cannot set limits of its child processes, so the shell does. */
export function memoryLimited(command: Command, limitKib: number): Command {
  return ['sh', '-c', `ulimit -d ${limitKib}; exec "$@"`, 'sh', ...command];
}
