import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledScript } from '../process/bundled-script.ts';
import { projectRoot } from '../process/project-root.ts';

/** Contains the programs that isolate and limit the decoder. */
export const DECODER_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

const DECODER = bundledScript('decoder-process');
const ISOLATION_CHECK_TIMEOUT_MS = 5_000;

/** A program with its arguments. */
type Command = [string, ...string[]];

/** Node 22.13 and 23.5 renamed it. */
const PERMISSION_FLAG = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** The decoder's program: all that its code reads. */
function programFiles(script: string): string[] {
  const packages = join(projectRoot, 'node_modules');
  return [...new Set([dirname(script), packages, realpathSync(packages), join(projectRoot, 'package.json')])];
}

/**
 * The decoder's code may read only itself: no other files, no writes, no programs. This does not bind native code such as
 * libvips, which `isolated` does.
 */
export function restrictedNode(script: string): Command {
  const readable = programFiles(script).map((path) => (path.endsWith('.json') ? path : `${path}/*`));
  return [
    process.execPath,
    PERMISSION_FLAG,
    '--allow-addons',
    // Its garbage is the photos in messages: with little room they are freed soon.
    '--max-semi-space-size=1',
    ...[...readable, '/proc/self/status'].map((path) => `--allow-fs-read=${path}`),
    // About the two flags above.
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    script,
  ];
}

/** Kept from the decoder: the network and all files but its program's, only the network, or nothing. */
export type Isolation = 'full' | 'no-network' | 'none';

/** With `--kill-child`, the command ends with `unshare`. */
const UNSHARE = 'unshare --user --map-root-user --net --ipc --pid --fork --kill-child'.split(' ') as Command;
/** `unshare` waits for the command, so it must survive the signals that the decoder ignores. */
const IGNORE_SIGNALS = `trap '' HUP INT TERM; exec "$@"`;
const DROP_CAPABILITIES = 'setpriv --bounding-set -all --inh-caps -all --no-new-privs'.split(' ');
/** Programs and libraries. Homebrew and Nix have their own folders. */
const SYSTEM_FILES = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/ld.so.cache',
  '/home/linuxbrew/.linuxbrew',
  '/nix/store',
  '/dev/null',
  '/dev/urandom',
];
/**
 * Its arguments are `show` or `cover` with a path each, `--`, and the command. It makes a root folder with the files to show
 * and with empty folders over those to cover, makes all mounts in it read-only, and removes the old root.
 * libvips decodes some large images into a temporary file, so `/dev/shm` is writable, for this process alone.
 * Some containers forbid a new `/proc`. Processes in the old one cannot be signalled, nor their environment read.
 */
const ENTER_ROOT = String.raw`set -e
root=/sys/root
mount -t tmpfs tmpfs /sys
mkdir $root
mount -t tmpfs tmpfs $root
mkdir -p $root/old $root/proc $root/dev/shm
mount -t tmpfs -o size=1g,noexec tmpfs $root/dev/shm
mount -t proc proc $root/proc 2>/dev/null || mount --rbind /proc $root/proc
while [ "$1" != -- ]; do
  inside=$root$2
  if [ "$1" = cover ]; then
    [ ! -d "$inside" ] || mount -t tmpfs tmpfs "$inside"
  elif [ -e "$2" ] && [ ! -e "$inside" ]; then
    mkdir -p "$(dirname "$inside")"
    if [ -L "$2" ]; then ln -s "$(readlink "$2")" "$inside"
    elif [ -d "$2" ]; then mkdir "$inside"; mount --rbind "$2" "$inside"
    else touch "$inside"; mount --bind "$2" "$inside"
    fi
  fi
  shift 2
done
shift
mounts=$(cat /proc/self/mountinfo)
printf '%s\n' "$mounts" | while read -r _ _ _ _ escaped options _; do
  path=$(printf '%b' "$escaped")
  case $path in
    $root/dev/shm) ;;
    $root | $root/*) mount -o "remount,bind,$options,ro" none "$path" ;;
  esac
done
cd $root
pivot_root . old
cd /
umount -l /old
export TMPDIR=/dev/shm
exec "$@"`;
const CAN_START = '"$1" --version && test -r "$2" && test -r "$3"';

type Files = {
  /** Their content is covered wherever the decoder would see it. */
  hiddenFolders?: string[];
  script?: string;
  node?: string;
};

/**
 * Runs a command in separate namespaces, which only Linux has and some systems forbid. Without capabilities it cannot undo
 * them, and without the PIDs of other processes it cannot signal them.
 */
export function isolated(command: Command, isolation: Isolation, files: Files = {}): Command {
  if (isolation === 'none') return command;
  const harmless = [...DROP_CAPABILITIES, ...command];
  const unshare: Command = ['sh', '-c', IGNORE_SIGNALS, 'sh', ...UNSHARE];
  if (isolation === 'no-network') return [...unshare, ...harmless];
  return [...unshare, '--mount', 'sh', '-c', ENTER_ROOT, 'sh', ...rootOf(files), '--', ...harmless];
}

/** The app may be in a system folder such as /usr/src, with its settings and data. */
function rootOf({ hiddenFolders = [], script = DECODER, node = process.execPath }: Files): string[] {
  const program = [...programFiles(script), node];
  const inProgram = hiddenFolders.filter((folder) =>
    program.some((path) => `${folder}/`.startsWith(`${path}/`)),
  );
  return [
    ...SYSTEM_FILES.flatMap((path) => ['show', path]),
    ...[projectRoot, ...hiddenFolders].flatMap((path) => ['cover', path]),
    ...program.flatMap((path) => ['show', path]),
    ...inProgram.flatMap((path) => ['cover', path]),
  ];
}

/** The best that this system allows. */
export async function findIsolation(
  hiddenFolders: string[],
  { path = DECODER_PATH, script = DECODER, node = process.execPath } = {},
): Promise<Isolation> {
  const sharp = join(projectRoot, 'node_modules/sharp');
  const check: Command = ['sh', '-c', CAN_START, 'sh', node, script, sharp];
  for (const isolation of ['full', 'no-network'] as const)
    if (await succeeds(isolated(check, isolation, { hiddenFolders, script, node }), path)) return isolation;
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
