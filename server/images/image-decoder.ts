import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { UnsupportedImageError } from '../errors.ts';
import type { InspectedImage, Rendering } from './decoder/decode-image.ts';
import type { Answer, Task } from './decoder/decoder-protocol.ts';
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

export function createImageDecoder(): ImageDecoder {
  const oneAtATime = pLimit(1);
  let decoder: ChildProcess | null = null;
  let lastId = 0;

  return {
    inspect: async (bytes) => (await perform({ kind: 'inspect', bytes })) as InspectedImage,
    async render(bytes, renderings) {
      const copies = (await perform({ kind: 'render', bytes, renderings })) as Uint8Array[];
      return copies.map((copy) => Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength));
    },
    async close() {
      oneAtATime.clearQueue();
      const ending = decoder;
      if (!ending || hasEnded(ending)) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await ended;
    },
  };

  function perform(task: DistributiveOmit<Task, 'id'>): Promise<NonNullable<Answer['result']>> {
    return oneAtATime(async () => {
      decoder = decoder && !hasEnded(decoder) ? decoder : startDecoder();
      const answer = await ask(decoder, { ...task, id: ++lastId });
      if (answer.refused) throw new UnsupportedImageError(REFUSALS[answer.refused]);
      if (!answer.result) throw new Error(`The picture could not be decoded: ${answer.failed}`);
      return answer.result;
    });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A task that ends its process, or outlasts our patience, was no photo for us. */
function ask(decoder: ChildProcess, task: Task): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer) => {
      clearTimeout(timer);
      decoder.off('message', onMessage).off('exit', onExit).off('error', onExit);
      resolve(answer);
    };
    const onMessage = (answer: Answer) => answer.id === task.id && settle(answer);
    const onExit = () => settle({ id: task.id, refused: 'damaged' });
    const timer = setTimeout(() => decoder.kill('SIGKILL'), TASK_TIMEOUT_MS);
    decoder.on('message', onMessage).on('exit', onExit).on('error', onExit);
    decoder.send(task, (error) => error && onExit());
  });
}

function hasEnded(decoder: ChildProcess): boolean {
  return decoder.exitCode !== null || decoder.signalCode !== null || !decoder.connected;
}

function startDecoder(): ChildProcess {
  const isBundled = import.meta.filename.endsWith('.js');
  const program = isBundled
    ? [join(import.meta.dirname, 'decoder-process.js')]
    : ['--import', 'tsx', join(import.meta.dirname, 'decoder/decoder-process.ts')];
  // The shell sets the limit and becomes the program.
  return spawn('sh', ['-c', `ulimit -d ${MEMORY_LIMIT_KIB}; exec "$0" "$@"`, process.execPath, ...program], {
    // libheif prints what it thinks of a file; the answer says it already.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
}
