import { spawn, type ChildProcess } from 'node:child_process';
import { UnavailableError } from '../errors.ts';
import { bundledScript } from '../bundled-script.ts';
import { READY, type Answer, type TaskContent } from './decoder-process/decoder-protocol.ts';

/** The decoder's process, from the server's side. */
export type DecoderProcess = {
  isRunning(): boolean;
  /** Whether earlier pictures left it too little of its memory for the largest one that is let in. */
  hasGrown(): boolean;
  /**
   * Null when the process ends before it answers, as one does that takes too long or too much.
   * @throws UnavailableError when it does not even start: our trouble, not the photo's
   */
  ask(task: TaskContent): Promise<Answer | null>;
  end(): Promise<void>;
};

const START_TIMEOUT_MS = 20_000;
/** Far longer than the largest picture that is let in takes on a small machine. */
const TASK_TIMEOUT_MS = 30_000;

/** The kernel keeps it, where it can. A HEIC of 50 megapixels, rendered whole, takes the most: 1.5 GB in a fresh process. */
const MEMORY_LIMIT_KIB = 2 * 1024 * 1024;
/** The part of the limit that earlier pictures may still hold when the next one comes. */
const MAX_HELD_PART = 1 / 4;

export function startDecoderProcess(memoryLimitKib = MEMORY_LIMIT_KIB): DecoderProcess {
  const child = spawnDecoder(memoryLimitKib);
  // Each question listens for its own answer, and many may be asked at once.
  child.setMaxListeners(0);
  // Between two questions, an error without a listener would crash the process.
  child.on('error', () => undefined);
  const started = nextMessage(child, START_TIMEOUT_MS, (message) => message === READY);
  let lastId = 0;
  let memoryBytes = 0;
  return {
    isRunning: () => !hasEnded(child),
    hasGrown: () => memoryBytes > memoryLimitKib * 1024 * MAX_HELD_PART,
    async ask(task) {
      if ((await started) !== READY) {
        throw new UnavailableError(undefined, new Error('The decoder of pictures does not start'));
      }
      const id = ++lastId;
      const answered = nextMessage(child, TASK_TIMEOUT_MS, (message) => (message as Answer).id === id);
      child.send({ ...task, id }, (error) => error && child.kill('SIGKILL'));
      const answer = (await answered) as Answer | null;
      memoryBytes = answer?.memoryBytes ?? 0;
      return answer;
    },
    async end() {
      if (hasEnded(child)) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Null when the process ends first; one that takes too long is ended. */
function nextMessage(
  child: ChildProcess,
  timeoutMs: number,
  isWanted: (message: unknown) => boolean,
): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (message: unknown) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
      resolve(message);
    };
    const onMessage = (message: unknown) => isWanted(message) && settle(message);
    const onEnd = () => settle(null);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('message', onMessage).on('exit', onEnd).on('error', onEnd);
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || !child.connected || child.killed;
}

function spawnDecoder(memoryLimitKib: number): ChildProcess {
  const limited = `ulimit -d ${memoryLimitKib}; exec "$0" "$1"`;
  // The shell sets the limit and becomes the program.
  return spawn('sh', ['-c', limited, process.execPath, bundledScript('decoder-process')], {
    // libheif prints what it thinks of a file; the answer says it already.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    // It reads what strangers send: none of our secrets are there.
    env: { PATH: '/usr/bin:/bin' },
  });
}
