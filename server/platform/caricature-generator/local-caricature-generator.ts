import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { CaricatureStyle } from '#shared/album/caricature';
import { bundledScript } from '../process/bundled-script.ts';
import {
  CaricatureRejectedError,
  GeneratorUnavailableError,
  type CaricatureGenerator,
} from './caricature-generator.ts';

/** The longer side of every caricature, in pixels; small photos are enlarged to it. */
const SIDE = 1024;
const MAX_PIXELS = 100_000_000;

export type CartoonFilterInput = {
  /** Three bytes a pixel, sRGB. */
  rgb: Uint8Array;
  width: number;
  height: number;
  style: CaricatureStyle;
};

/** Applies the built-in cartoon filter, one photo at a time in a worker thread: about one second and 200 MB each. */
export function createLocalCaricatureGenerator({
  startWorker = startCartoonFilterWorker,
  side = SIDE,
} = {}): CaricatureGenerator {
  const queue = new PQueue({ concurrency: 1 });
  const closing = new AbortController();
  return {
    name: 'local',
    service: null,
    async generate(photo, style, signal) {
      const anySignal = AbortSignal.any([signal, closing.signal]);
      try {
        return await queue.add(() => applyFilter(photo, style, anySignal), { signal: anySignal });
      } catch (error) {
        if (error instanceof CaricatureRejectedError) throw error;
        throw new GeneratorUnavailableError(`The cartoon filter did not finish: ${String(error)}`);
      }
    },
    async close() {
      closing.abort();
      await queue.onIdle();
    },
  };

  async function applyFilter(photo: Buffer, style: CaricatureStyle, signal: AbortSignal): Promise<Buffer> {
    const sharp = await importSharp();
    const pixels = await readPixels(photo, side);
    signal.throwIfAborted();
    const worker = startWorker({ ...pixels, style });
    // Without a listener, an error after the abort would crash the process.
    worker.on('error', () => undefined);
    try {
      const { width, height } = pixels;
      const rgb = await receiveResult(worker, signal);
      return await sharp(rgb, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer();
    } finally {
      await worker.terminate();
    }
  }
}

/** The worker filters one photo, sends the pixels back in the same form and exits. */
export function startCartoonFilterWorker(input: CartoonFilterInput): Worker {
  return new Worker(bundledScript('cartoon-filter-worker'), {
    workerData: input,
    execArgv: [],
    // The worker needs no configuration, so it gets no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
}

/** @throws when the worker fails, exits without a result, or the signal is aborted first */
async function receiveResult(worker: Worker, signal: AbortSignal): Promise<Uint8Array> {
  const answered = once(worker, 'message', { signal }).then(([rgb]) => rgb as Uint8Array);
  const exited = once(worker, 'exit', { signal }).then(([code]): never => {
    throw new Error(`the worker exited with code ${String(code)}`);
  });
  return Promise.race([answered, exited]);
}

/** Most processes make no caricature, and the native library takes 10 MB. */
async function importSharp() {
  return (await import('sharp')).default;
}

/** Upright, the first frame of an animation, on white where it is transparent. */
async function readPixels(photo: Buffer, side: number): Promise<Omit<CartoonFilterInput, 'style'>> {
  const sharp = await importSharp();
  try {
    const { data, info } = await sharp(photo, { limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .toColorspace('srgb')
      .resize(side, side, { fit: 'inside' })
      .flatten({ background: 'white' })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { rgb: data, width: info.width, height: info.height };
  } catch (error) {
    throw new CaricatureRejectedError('bad-input', `The photo cannot be read: ${String(error)}`, true);
  }
}
