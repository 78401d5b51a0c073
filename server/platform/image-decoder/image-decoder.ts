import type { SquareCrop } from '#shared/photos/square-crop';
import { createAccountSlots, type AccountSlots } from '../limits/account-slots.ts';
import { UnavailableError } from '../errors.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { startDecoderProcess } from './decoder-process-handle.ts';
import { createRenderOnce, type RenderOnce } from './render-once.ts';
import {
  createRestartingProcess,
  type DecoderOutcome,
  type DecoderResult,
  type RestartingProcess,
} from './restarting-process.ts';
import type {
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

export function createImageDecoder({
  startProcess = startDecoderProcess,
  idleTimeoutMs,
}: Partial<Parameters<typeof createRestartingProcess>[0]> = {}): ImageDecoder {
  const options = { startProcess, ...(idleTimeoutMs !== undefined && { idleTimeoutMs }) };
  const probeProcess = createRestartingProcess(options);
  const decodeProcess = createRestartingProcess(options);
  const probe = createProbe(probeProcess);
  const perform = createPerform(decodeProcess);
  const decodeSlots = createAccountSlots(DECODE_LIMITS);
  const renderSlots = createAccountSlots(RENDER_LIMITS);
  return {
    warmUp() {
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
    async render(ownerId, bytes, renderings, priority) {
      const task: TaskContent = { kind: 'render', bytes, renderings };
      const copies = (await perform(ownerId, task, PRIORITY[priority])) as Uint8Array[];
      return copies.map(toBuffer);
    },
    async close() {
      await Promise.all([probeProcess.close(), decodeProcess.close()]);
    },
  };
}

/** Does not wait for decodes, so that most invalid files are rejected at once even while one is running. */
function createProbe(process: RestartingProcess) {
  const enqueue = createQueue();
  return async (ownerId: string, bytes: Buffer): Promise<void> => {
    const start = bytes.subarray(0, PROBED_BYTES);
    const outcome = await ask(ownerId, start);
    const isHeaderCut = outcome?.rejected === 'damaged' && start.length < bytes.length;
    process.resultOf(isHeaderCut ? await ask(ownerId, bytes) : outcome);
  };

  /** @throws UnavailableError after the timeout: the machine may be busy, so clients and jobs retry a few times */
  async function ask(ownerId: string, bytes: Buffer): Promise<Exclude<DecoderOutcome, 'timeout'>> {
    const task: TaskContent = { kind: 'probe', bytes };
    // One at a time, so that the timeout measures this file and not those before it.
    const askOnce = () => process.ask(task, PROBE_TIMEOUT_MS);
    // Retry once: an earlier file may have crashed the process.
    const askTwice = async () => (await askOnce()) ?? (await askOnce());
    const outcome = await enqueue(ownerId, PRIORITY.inspect, askTwice);
    if (outcome === 'timeout') throw new UnavailableError(BUSY);
    return outcome;
  }
}

function createPerform(process: RestartingProcess) {
  const enqueue = createQueue();
  return (ownerId: string, task: TaskContent, priority: number): Promise<DecoderResult> =>
    enqueue(ownerId, priority, async () => {
      const isFresh = !process.isRunning();
      let outcome = await process.ask(task);
      // Retry in a fresh process: the used one may have crashed because of an earlier image. Not after a timeout, which
      // has kept everybody else waiting.
      if (!outcome && !isFresh) outcome = await process.ask(task);
      // Restart before memory runs short, so that 'damaged' is never the fault of an earlier image.
      if (process.isMemoryHigh()) await process.end();
      return process.resultOf(outcome);
    });
}

function createQueue() {
  const queue = createFairQueue();
  return <T>(ownerId: string, priority: number, work: () => Promise<T>): Promise<T> => {
    if (queue.size() >= MAX_QUEUE_SIZE) throw new UnavailableError(BUSY);
    return queue.add(ownerId, priority, work);
  };
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
