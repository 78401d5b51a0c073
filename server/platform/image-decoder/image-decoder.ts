import PQueue from 'p-queue';
import { UnavailableError, UnsupportedImageError } from '../errors.ts';
import { startDecoderProcess, type DecoderProcess } from './decoder-process-handle.ts';
import type { InspectedImage, Rendering } from './decoder-process/decode-image.ts';
import type { Answer, TaskContent } from './decoder-process/decoder-protocol.ts';

/**
 * Reads pictures in a process of its own, one at a time: a file that makes the decoder crash, hang or grow ends that
 * process and not the server. A second one only looks at their first bytes: reading a HEIC keeps the first one busy
 * for seconds. Every call may throw UnavailableError, when there is too much to do or nothing to do
 * it with.
 */
export type ImageDecoder = {
  /** Looks at the bytes, whatever the name said. @throws UnsupportedImageError when they are no photo we can read */
  inspect(bytes: Buffer): Promise<InspectedImage>;
  /**
   * The upright square in which most is to be seen, at most so wide, as WebP without any metadata.
   * @throws UnsupportedImageError when they are no photo we can read
   */
  cropSquare(bytes: Buffer, side: number): Promise<Buffer>;
  /** Upright copies without any metadata, in the order asked for. @throws UnsupportedImageError */
  render(bytes: Buffer, renderings: Rendering[], urgency: Urgency): Promise<Buffer[]>;
  close(): Promise<void>;
};

/** Whether somebody is looking at the place where the picture will be. */
export type Urgency = 'somebody-waits' | 'ahead-of-time';

/** A new photo comes first, a picture on somebody's screen next, what can wait last. */
const PRIORITY = { inspect: 2, 'somebody-waits': 1, 'ahead-of-time': 0 };
/** Each waiting picture holds up to 10 MB. */
const MOST_WAITING = 50;

export function createImageDecoder({ startProcess = startDecoderProcess } = {}): ImageDecoder {
  const queue = new PQueue({ concurrency: 1 });
  const glances = keepProcess();
  const readings = keepProcess();
  let isClosed = false;

  return {
    async inspect(bytes) {
      await probe(bytes);
      return (await perform({ kind: 'inspect', bytes }, PRIORITY.inspect)) as InspectedImage;
    },
    async cropSquare(bytes, side) {
      await probe(bytes);
      const [square] = await render(bytes, [{ format: 'webp', square: side }], PRIORITY.inspect);
      if (!square) throw new Error('The decoder gave no square');
      return square;
    },
    render: (bytes, renderings, urgency) => render(bytes, renderings, PRIORITY[urgency]),
    async close() {
      isClosed = true;
      await Promise.all([glances.clear(), readings.clear()]);
    },
  };

  /** Not queued: most of what must be refused is seen by its first bytes, whatever is being read meanwhile. */
  async function probe(bytes: Buffer): Promise<void> {
    const task: TaskContent = { kind: 'probe', bytes };
    // Another file, looked at in the same moment, may have ended the process.
    resultOf((await glances.ask(task)) ?? (await glances.ask(task)));
  }

  async function render(bytes: Buffer, renderings: Rendering[], priority: number): Promise<Buffer[]> {
    const copies = (await perform({ kind: 'render', bytes, renderings }, priority)) as Uint8Array[];
    return copies.map((copy) => Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength));
  }

  function perform(task: TaskContent, priority: number): Promise<Result> {
    if (queue.size >= MOST_WAITING)
      throw new UnavailableError('We’re busy right now. Please try again in a moment.');
    return queue.add(
      async () => {
        const isFresh = !readings.isRunning();
        let answer = await readings.ask(task);
        // A used process may have ended for another reason than this picture.
        if (!answer && !isFresh) answer = await readings.ask(task);
        // Replaced before it runs short of memory, so that what it calls damaged is damaged and needs no second decode.
        if (readings.hasGrown()) await readings.clear();
        return resultOf(answer);
      },
      { priority },
    );
  }

  /** A process that is started when it is needed, and again when it has ended. */
  function keepProcess() {
    let process: DecoderProcess | null = null;
    return {
      isRunning: () => process?.isRunning() ?? false,
      hasGrown: () => process?.hasGrown() ?? false,
      /** Null when the process ends over it. */
      ask(task: TaskContent): Promise<Answer | null> {
        if (isClosed) throw new UnavailableError();
        if (!process?.isRunning()) process = startProcess();
        return process.ask(task);
      },
      clear: async () => process?.end(),
    };
  }

  function resultOf(answer: Answer | null): Result {
    if (answer?.result) return answer.result;
    if (isClosed) throw new UnavailableError();
    if (answer?.failed) throw new Error(`The picture could not be decoded: ${answer.failed}`);
    // What ends the process was no photo for us.
    throw new UnsupportedImageError(answer?.refused ?? 'damaged');
  }
}

type Result = NonNullable<Answer['result']>;
