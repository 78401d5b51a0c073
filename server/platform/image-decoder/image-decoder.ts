import { DecodeTimeoutError, UnavailableError, UnsupportedImageError } from '../errors.ts';
import { createAccountSlots, type AccountSlots } from '../account-slots.ts';
import { startDecoderProcess, type DecoderProcess } from './decoder-process-handle.ts';
import { createFairQueue } from '../fair-queue.ts';
import { createRenderOnce, type RenderOnce } from './render-once.ts';
import type { SquareCrop } from '#shared/square-crop';
import type {
  Answer,
  CroppedSquare,
  InspectedImage,
  Inspection,
  Rendering,
  TaskContent,
} from './decoder-process/decoder-protocol.ts';

/**
 * Decodes one image at a time in a child process, which a file may crash. A second one probes headers, since a HEIC
 * takes seconds. The images of accounts are probed and decoded in turn. @throws UnavailableError when a queue is full or
 * the decoder does not start
 */
export type ImageDecoder = {
  /** Starts the processes for an image that is about to come. */
  warmUp(): void;
  /**
   * Requests read and decode an image within it, so that at most two images of an account wait in memory while a third is
   * decoded. Jobs need none: their workers limit them. @throws TooManyRequestsError
   */
  withDecodeSlot: AccountSlots['run'];
  /**
   * The same for rendering a missing copy, such as a tile. A gallery requests many at once, which must not make an upload
   * wait or be rejected. @throws TooManyRequestsError
   */
  withRenderSlot: AccountSlots['run'];
  /** Call it around a render of stored variants or a preview. */
  renderOnce: RenderOnce;
  /** With a WebP of `TILE_WIDTH`. @throws UnsupportedImageError, DecodeTimeoutError */
  inspect(
    ownerId: string,
    bytes: Buffer,
    priority?: 'inspect' | 'background',
  ): Promise<InspectedImage & { tile: Buffer }>;
  /**
   * An upright square WebP without metadata. Without a crop, of the largest square around the most salient part.
   * @throws UnsupportedImageError, DecodeTimeoutError
   */
  cropSquare(
    ownerId: string,
    bytes: Buffer,
    maxSide: number,
    crop?: SquareCrop | null,
  ): Promise<Omit<CroppedSquare, 'square'> & { square: Buffer }>;
  /** Upright copies without metadata, in the order of `renderings`. @throws UnsupportedImageError, DecodeTimeoutError */
  render(
    ownerId: string,
    bytes: Buffer,
    renderings: Rendering[],
    priority: RenderPriority,
  ): Promise<Buffer[]>;
  close(): Promise<void>;
};

/** 'interactive' when a request waits for the image. */
export type RenderPriority = 'interactive' | 'background';

/** Of an account's images, uploads come first, requests next, background work last. */
const PRIORITY = { inspect: 2, interactive: 1, background: 0 };
/** Contains the header of most photos. Sending a whole photo takes longer than reading its header. */
const PROBED_BYTES = 256 * 1024;
/** Of each queue: a waiting image holds up to 10 MB. */
const MAX_QUEUE_SIZE = 50;
const SLOTS = {
  name: 'decoder',
  message: 'Your photos are still being worked on. Please try again in a moment.',
};
/** One that is decoded and two that wait. The line is longer than the connections of a browser or of the benchmark. */
const DECODE_LIMITS = { ...SLOTS, slots: 3, maxInLine: 20, maxWaitMs: 15_000 };
/** One that is decoded and one that is read. Those in line hold no photo in memory. */
const RENDER_LIMITS = { ...SLOTS, slots: 2, maxInLine: 200, maxWaitMs: 60_000 };
/** A header takes milliseconds, also on a busy machine. Until the timeout the probes of other accounts wait. */
const PROBE_TIMEOUT_MS = 5_000;
const BUSY = 'We’re busy right now. Please try again in a moment.';
/** A process takes up to 100 MB, and a new one starts while the next photo is uploaded. */
const IDLE_TIMEOUT_MS = 30_000;

export function createImageDecoder({
  startProcess = startDecoderProcess,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
} = {}): ImageDecoder {
  const probeQueue = createFairQueue();
  const decodeQueue = createFairQueue();
  const decodeSlots = createAccountSlots(DECODE_LIMITS);
  const renderSlots = createAccountSlots(RENDER_LIMITS);
  const probeProcess = createRestartingProcess();
  const decodeProcess = createRestartingProcess();
  let isClosed = false;

  return {
    warmUp() {
      if (isClosed) return;
      probeProcess.warmUp();
      decodeProcess.warmUp();
    },
    withDecodeSlot: (account, work) => decodeSlots.run(account, work),
    withRenderSlot: (account, work) => renderSlots.run(account, work),
    renderOnce: createRenderOnce(),
    async inspect(ownerId, bytes, priority = 'inspect') {
      await probe(ownerId, bytes);
      const task: TaskContent = { kind: 'inspect', bytes };
      const { image, tile } = (await perform(ownerId, task, PRIORITY[priority])) as Inspection;
      return { ...image, tile: toBuffer(tile) };
    },
    async cropSquare(ownerId, bytes, maxSide, crop = null) {
      await probe(ownerId, bytes);
      const task: TaskContent = { kind: 'crop', bytes, crop, maxSide };
      const cropped = (await perform(ownerId, task, PRIORITY.inspect)) as CroppedSquare;
      return { ...cropped, square: toBuffer(cropped.square) };
    },
    render: (ownerId, bytes, renderings, priority) => render(ownerId, bytes, renderings, PRIORITY[priority]),
    async close() {
      isClosed = true;
      await Promise.all([probeProcess.end(), decodeProcess.end()]);
    },
  };

  /** Does not wait for decodes, so that most invalid files are rejected at once even while one is running. */
  async function probe(ownerId: string, bytes: Buffer): Promise<void> {
    const start = bytes.subarray(0, PROBED_BYTES);
    const answer = await askProbe(ownerId, start);
    const isHeaderCut = answer?.rejected === 'damaged' && start.length < bytes.length;
    resultOf(isHeaderCut ? await askProbe(ownerId, bytes) : answer);
  }

  /** @throws UnavailableError after the timeout: the machine may be busy, so clients and jobs retry a few times */
  async function askProbe(ownerId: string, bytes: Buffer): Promise<Answer | null> {
    const task: TaskContent = { kind: 'probe', bytes };
    // One at a time, so that the timeout measures this file and not those before it.
    const ask = () => probeProcess.ask(task, PROBE_TIMEOUT_MS);
    // Retry once: an earlier file may have crashed the process.
    const askTwice = async () => (await ask()) ?? (await ask());
    const answer = await enqueue(probeQueue, ownerId, PRIORITY.inspect, askTwice);
    if (answer === 'timeout') throw new UnavailableError(BUSY);
    return answer;
  }

  async function render(
    ownerId: string,
    bytes: Buffer,
    renderings: Rendering[],
    priority: number,
  ): Promise<Buffer[]> {
    const task: TaskContent = { kind: 'render', bytes, renderings };
    const copies = (await perform(ownerId, task, priority)) as Uint8Array[];
    return copies.map(toBuffer);
  }

  function perform(ownerId: string, task: TaskContent, priority: number): Promise<Result> {
    return enqueue(decodeQueue, ownerId, priority, async () => {
      const isFresh = !decodeProcess.isRunning();
      let answer = await decodeProcess.ask(task);
      // Retry in a fresh process: the used one may have crashed because of an earlier image. Not after a timeout, which
      // has kept everybody else waiting.
      if (!answer && !isFresh) answer = await decodeProcess.ask(task);
      // Restart before memory runs short, so that 'damaged' is never the fault of an earlier image.
      if (decodeProcess.isMemoryHigh()) await decodeProcess.end();
      return resultOf(answer);
    });
  }

  function enqueue<T>(
    queue: typeof decodeQueue,
    ownerId: string,
    priority: number,
    work: () => Promise<T>,
  ): Promise<T> {
    if (queue.size() >= MAX_QUEUE_SIZE) throw new UnavailableError(BUSY);
    return queue.add(ownerId, priority, work);
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
      async ask(task: TaskContent, timeoutMs?: number): Promise<ProcessAnswer> {
        const running = start();
        pending++;
        try {
          return await running.ask(task, timeoutMs);
        } finally {
          pending--;
          endWhenIdle();
        }
      },
      end,
    };
  }

  function resultOf(answer: ProcessAnswer): Result {
    if (answer === 'timeout') throw new DecodeTimeoutError();
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

type ProcessAnswer = Awaited<ReturnType<DecoderProcess['ask']>>;
type Result = NonNullable<Answer['result']>;
