import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { UnavailableError } from '../errors.ts';
import { bundledScript } from '../process/bundled-script.ts';
import { DECODER_PATH, isolated, memoryLimited, restrictedNode, type Isolation } from './decoder-command.ts';
import { READY, type DecoderResponse, type TaskContent } from './decoder-process/decoder-protocol.ts';

export type DecoderProcess = {
  isRunning(): boolean;
  /** Whether so much memory is in use that the largest accepted image might not fit. */
  isMemoryHigh(): boolean;
  /**
   * Null when the process exits first, such as by the memory limit. After a timeout it is killed.
   * @throws UnavailableError when the process does not start, which is not the photo's fault
   */
  ask(task: TaskContent, timeoutMs?: number): Promise<DecoderResponse | 'timeout' | null>;
  end(): Promise<void>;
};

const START_TIMEOUT_MS = 20_000;
/** Several times what the largest accepted image takes on a small machine. */
const TASK_TIMEOUT_MS = 30_000;

/** The worst case is a 50-megapixel HEIC at full size: 1.5 GB in a fresh process. */
const MEMORY_LIMIT_KIB = 2 * 1024 * 1024;
/** Above this share of the limit the process is restarted before the next image. */
const MAX_MEMORY_SHARE = 1 / 4;

/** Of Node itself, on top of the limit. The decoder reserves as much as this process. */
const RESERVED_KIB = reservedForCodeKib();

type Sandbox = {
  isolation: Isolation;
  hiddenFolders: string[];
};

export function startDecoderProcess(
  memoryLimitKib = MEMORY_LIMIT_KIB,
  sandbox: Sandbox = { isolation: 'none', hiddenFolders: [] },
): DecoderProcess {
  const child = spawnDecoder(memoryLimitKib, sandbox);
  // Each pending task adds listeners, and there may be many.
  child.setMaxListeners(0);
  // Between tasks there is no other listener, and an unhandled 'error' crashes the server.
  child.on('error', () => undefined);
  const started = nextMessage(child, START_TIMEOUT_MS, (message) => message === READY);
  let lastId = 0;
  let memoryBytes = 0;
  return {
    isRunning: () => !hasEnded(child),
    isMemoryHigh: () => memoryBytes / 1024 - RESERVED_KIB > memoryLimitKib * MAX_MEMORY_SHARE,
    async ask(task, timeoutMs = TASK_TIMEOUT_MS) {
      if ((await started) !== READY) {
        throw new UnavailableError(undefined, new Error('The image decoder does not start'));
      }
      const id = ++lastId;
      const responded = nextMessage(child, timeoutMs, (message) => (message as DecoderResponse).id === id);
      child.send({ ...task, id }, (error) => error && child.kill('SIGKILL'));
      const response = (await responded) as DecoderResponse | 'timeout' | null;
      memoryBytes = (response !== 'timeout' && response?.memoryBytes) || 0;
      return response;
    },
    async end() {
      if (hasEnded(child)) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Null when the process exits first; after 'timeout' it is killed. */
function nextMessage(
  child: ChildProcess,
  timeoutMs: number,
  isMatch: (message: unknown) => boolean,
): Promise<unknown> {
  return new Promise((resolve) => {
    const finish = (message: unknown) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
      resolve(message);
    };
    const onMessage = (message: unknown) => isMatch(message) && finish(message);
    const onEnd = () => finish(null);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish('timeout');
    }, timeoutMs);
    child.on('message', onMessage).on('exit', onEnd).on('error', onEnd);
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || !child.connected || child.killed;
}

function spawnDecoder(memoryLimitKib: number, { isolation, hiddenFolders }: Sandbox): ChildProcess {
  const decoder = isolated(restrictedNode(bundledScript('decoder-process')), isolation, { hiddenFolders });
  const [program, ...args] = memoryLimited(decoder, memoryLimitKib + RESERVED_KIB);
  return spawn(program, args, {
    // libheif prints warnings about damaged files to stdout.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    // It decodes untrusted files, so it gets no secrets. With glibc's default of several arenas it holds 100 MB more, and
    // without a fixed threshold it keeps the memory of freed photos.
    env: { PATH: DECODER_PATH, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1048576' },
  });
}

/**
 * Node 24 maps its whole range for compiled code as writable (510 MB on x64), which `ulimit -d` and `VmData` count although
 * it is hardly used. Node 20 maps a few pages.
 */
function reservedForCodeKib(): number {
  try {
    const maps = readFileSync('/proc/self/maps', 'latin1').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp /gm);
    const sizes = [...maps].map(([, start = '', end = '']) => parseInt(end, 16) - parseInt(start, 16));
    return Math.max(0, ...sizes) / 1024;
  } catch {
    // There is no /proc on this system, and no limit.
    return 0;
  }
}
