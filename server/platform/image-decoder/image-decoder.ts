import PQueue from 'p-queue';
import { UnavailableError, UnsupportedImageError } from '../errors.ts';
import { startDecoderProcess, type DecoderProcess } from './decoder-process-handle.ts';
import type {
  Answer,
  InspectedImage,
  Inspection,
  Rendering,
  TaskContent,
} from './decoder-process/decoder-protocol.ts';

/**
 * Decodes one image at a time in a child process, which a file may crash. A second one probes headers, since a HEIC
 * takes seconds. @throws UnavailableError when the queue is full or the decoder does not start
 */
export type ImageDecoder = {
  /** Starts the processes for an image that is about to come. */
  warmUp(): void;
  /** With a WebP of `TILE_WIDTH`. @throws UnsupportedImageError */
  inspect(bytes: Buffer): Promise<InspectedImage & { tile: Buffer }>;
  /** An upright square WebP around the most salient part, without metadata. @throws UnsupportedImageError */
  cropSquare(bytes: Buffer, side: number): Promise<Buffer>;
  /** Upright copies without metadata, in the order of `renderings`. @throws UnsupportedImageError */
  render(bytes: Buffer, renderings: Rendering[], priority: RenderPriority): Promise<Buffer[]>;
  close(): Promise<void>;
};

/** 'interactive' when a request waits for the image. */
export type RenderPriority = 'interactive' | 'background';

/** Uploads come first, requests next, background work last. */
const PRIORITY = { inspect: 2, interactive: 1, background: 0 };
/** Contains the header of most photos. Sending a whole photo takes longer than reading its header. */
const PROBED_BYTES = 256 * 1024;
/** Each waiting image holds up to 10 MB. */
const MAX_QUEUE_SIZE = 50;
/** A process takes up to 100 MB, and a new one starts while the next photo is uploaded. */
const IDLE_TIMEOUT_MS = 30_000;

export function createImageDecoder({
  startProcess = startDecoderProcess,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
} = {}): ImageDecoder {
  const queue = new PQueue({ concurrency: 1 });
  const probeProcess = createRestartingProcess();
  const decodeProcess = createRestartingProcess();
  let isClosed = false;

  return {
    warmUp() {
      if (isClosed) return;
      probeProcess.warmUp();
      decodeProcess.warmUp();
    },
    async inspect(bytes) {
      await probe(bytes);
      const { image, tile } = (await perform({ kind: 'inspect', bytes }, PRIORITY.inspect)) as Inspection;
      return { ...image, tile: toBuffer(tile) };
    },
    async cropSquare(bytes, side) {
      await probe(bytes);
      const [square] = await render(bytes, [{ format: 'webp', square: side }], PRIORITY.inspect);
      if (!square) throw new Error('The decoder returned no square');
      return square;
    },
    render: (bytes, renderings, priority) => render(bytes, renderings, PRIORITY[priority]),
    async close() {
      isClosed = true;
      await Promise.all([probeProcess.end(), decodeProcess.end()]);
    },
  };

  /** Not queued, so that most invalid files are rejected at once even while a decode is running. */
  async function probe(bytes: Buffer): Promise<void> {
    const start = bytes.subarray(0, PROBED_BYTES);
    const answer = await askProbe(start);
    const isHeaderCut = answer?.rejected === 'damaged' && start.length < bytes.length;
    resultOf(isHeaderCut ? await askProbe(bytes) : answer);
  }

  async function askProbe(bytes: Buffer): Promise<Answer | null> {
    const task: TaskContent = { kind: 'probe', bytes };
    // Retry once: a concurrent probe of another file may have crashed the process.
    return (await probeProcess.ask(task)) ?? (await probeProcess.ask(task));
  }

  async function render(bytes: Buffer, renderings: Rendering[], priority: number): Promise<Buffer[]> {
    const copies = (await perform({ kind: 'render', bytes, renderings }, priority)) as Uint8Array[];
    return copies.map(toBuffer);
  }

  function perform(task: TaskContent, priority: number): Promise<Result> {
    if (queue.size >= MAX_QUEUE_SIZE)
      throw new UnavailableError('We’re busy right now. Please try again in a moment.');
    return queue.add(
      async () => {
        const isFresh = !decodeProcess.isRunning();
        let answer = await decodeProcess.ask(task);
        // Retry in a fresh process: the used one may have crashed because of an earlier image.
        if (!answer && !isFresh) answer = await decodeProcess.ask(task);
        // Restart before memory runs short, so that 'damaged' is never the fault of an earlier image.
        if (decodeProcess.isMemoryHigh()) await decodeProcess.end();
        return resultOf(answer);
      },
      { priority },
    );
  }

  /** Starts the process on first use, and again after it has exited. Ends it when it is idle. */
  function createRestartingProcess() {
    let process: DecoderProcess | null = null;
    let pending = 0;
    let idleTimer: NodeJS.Timeout | undefined;
    const start = () => {
      if (isClosed) throw new UnavailableError();
      clearTimeout(idleTimer);
      return process?.isRunning() ? process : (process = startProcess());
    };
    const end = async () => {
      clearTimeout(idleTimer);
      await process?.end();
    };
    const endWhenIdle = () => {
      clearTimeout(idleTimer);
      if (pending === 0) idleTimer = setTimeout(() => void end(), idleTimeoutMs).unref();
    };
    return {
      isRunning: () => process?.isRunning() ?? false,
      isMemoryHigh: () => process?.isMemoryHigh() ?? false,
      warmUp() {
        start();
        endWhenIdle();
      },
      /** Null when the process exits before it answers. */
      async ask(task: TaskContent): Promise<Answer | null> {
        const running = start();
        pending++;
        try {
          return await running.ask(task);
        } finally {
          pending--;
          endWhenIdle();
        }
      },
      end,
    };
  }

  function resultOf(answer: Answer | null): Result {
    if (answer?.result) return answer.result;
    if (isClosed) throw new UnavailableError();
    if (answer?.failed) throw new Error(`The image could not be decoded: ${answer.failed}`);
    // No answer: the image crashed the process.
    throw new UnsupportedImageError(answer?.rejected ?? 'damaged');
  }
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

type Result = NonNullable<Answer['result']>;
