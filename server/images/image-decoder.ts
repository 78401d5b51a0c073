import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { UnavailableError, UnsupportedImageError } from '../errors.ts';
import type { InspectedImage, Rendering } from './decoder/decode-image.ts';
import { READY, type Answer, type Task } from './decoder/decoder-protocol.ts';
import type { RefusalReason } from './decoder/image-refusal.ts';

/**
 * Reads pictures in a process of its own, one at a time: a file that makes the decoder crash, hang or grow ends that
 * process and not the server.
 */
export type ImageDecoder = {
  /** Looks at the bytes, whatever the name said. @throws UnsupportedImageError when they are no photo we can read */
  inspect(bytes: Buffer): Promise<InspectedImage>;
  /** Upright copies without any metadata, in the order asked for. @throws UnsupportedImageError */
  render(bytes: Buffer, renderings: Rendering[]): Promise<Buffer[]>;
  close(): Promise<void>;
};

const START_TIMEOUT_MS = 20_000;
/** Far longer than the largest picture that is let in takes on a small machine. */
const TASK_TIMEOUT_MS = 30_000;
/** 100 megapixels of a progressive JPEG, decoded and turned, stay below this. The kernel keeps it, where it can. */
const MEMORY_LIMIT_KIB = 2 * 1024 * 1024;

const REFUSALS: Record<RefusalReason, string> = {
  'not-a-photo':
    'This file is not a photo we can read. Please use a JPEG, PNG, WebP, AVIF, GIF or HEIC picture.',
  damaged: 'This photo is damaged and cannot be read. Please try another copy of it.',
  'too-many-pixels':
    'This photo has more pixels than we can take (100 megapixels). Please use a smaller copy.',
};

export function createImageDecoder({ memoryLimitKib = MEMORY_LIMIT_KIB } = {}): ImageDecoder {
  const oneAtATime = pLimit(1);
  let decoder: ChildProcess | null = null;
  let isClosed = false;
  let lastId = 0;

  return {
    inspect: async (bytes) => (await perform({ kind: 'inspect', bytes })) as InspectedImage,
    async render(bytes, renderings) {
      const copies = (await perform({ kind: 'render', bytes, renderings })) as Uint8Array[];
      return copies.map((copy) => Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength));
    },
    async close() {
      isClosed = true;
      if (decoder) await end(decoder);
    },
  };

  function perform(task: DistributiveOmit<Task, 'id'>): Promise<NonNullable<Answer['result']>> {
    return oneAtATime(async () => {
      if (isClosed) throw new UnavailableError();
      if (!decoder || hasEnded(decoder)) {
        decoder = startProcess(memoryLimitKib);
        await becomesReady(decoder);
      }
      const answer = await ask(decoder, { ...task, id: ++lastId });
      if (answer.result) return answer.result;
      if (isClosed) throw new UnavailableError();
      if (answer.failed) throw new Error(`The picture could not be decoded: ${answer.failed}`);
      throw new UnsupportedImageError(REFUSALS[answer.refused ?? 'damaged']);
    });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** One that does not even start is our trouble, not the photo's. @throws UnavailableError */
async function becomesReady(decoder: ChildProcess): Promise<void> {
  const first = await nextMessage(decoder, START_TIMEOUT_MS, (message) => message === READY);
  if (first !== READY)
    throw new UnavailableError(undefined, new Error('The decoder of pictures does not start'));
}

/** A task that ends its process, or outlasts our patience, was no photo for us. */
async function ask(decoder: ChildProcess, task: Task): Promise<Answer> {
  const answered = nextMessage(decoder, TASK_TIMEOUT_MS, (message) => (message as Answer).id === task.id);
  decoder.send(task, (error) => error && decoder.kill('SIGKILL'));
  return ((await answered) as Answer | null) ?? { id: task.id, refused: 'damaged' };
}

/** Null when the process ends first; one that takes too long is ended. */
function nextMessage(
  decoder: ChildProcess,
  timeoutMs: number,
  isWanted: (message: unknown) => boolean,
): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (message: unknown) => {
      clearTimeout(timer);
      decoder.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
      resolve(message);
    };
    const onMessage = (message: unknown) => isWanted(message) && settle(message);
    const onEnd = () => settle(null);
    const timer = setTimeout(() => decoder.kill('SIGKILL'), timeoutMs);
    decoder.on('message', onMessage).on('exit', onEnd).on('error', onEnd);
  });
}

async function end(decoder: ChildProcess): Promise<void> {
  if (hasEnded(decoder)) return;
  const ended = new Promise((resolve) => decoder.once('exit', resolve));
  decoder.kill('SIGKILL');
  await ended;
}

function hasEnded(decoder: ChildProcess): boolean {
  return decoder.exitCode !== null || decoder.signalCode !== null || !decoder.connected;
}

function startProcess(memoryLimitKib: number): ChildProcess {
  const isBundled = import.meta.filename.endsWith('.js');
  const program = isBundled
    ? [join(import.meta.dirname, 'decoder-process.js')]
    : ['--import', 'tsx', join(import.meta.dirname, 'decoder/decoder-process.ts')];
  // The shell sets the limit and becomes the program.
  return spawn('sh', ['-c', `ulimit -d ${memoryLimitKib}; exec "$0" "$@"`, process.execPath, ...program], {
    // libheif prints what it thinks of a file; the answer says it already.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
}
