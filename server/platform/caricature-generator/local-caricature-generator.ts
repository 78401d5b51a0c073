import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import sharp from 'sharp';
import type { CaricatureStyle } from '#shared/caricature';
import {
  ArtistUnavailableError,
  CaricatureRefusedError,
  type CaricatureArtist,
} from './caricature-generator.ts';
import { startPainterThread, type Painting } from './cartoon-filter-worker-handle.ts';

/** The longer side of what is drawn, in pixels; a small photo is drawn as large. */
const SIDE = 1024;
const MAX_PIXELS = 100_000_000;

/**
 * The cartoon filter of our own: nothing leaves the machine and nothing costs. One drawing at a time, each in a thread
 * that lives as long as it takes: a second or so, and about 200 MB. Requests never wait for it.
 */
export function createLocalArtist({ startThread = startPainterThread, side = SIDE } = {}): CaricatureArtist {
  const queue = new PQueue({ concurrency: 1 });
  const closing = new AbortController();
  return {
    name: 'local',
    service: null,
    async draw(photo, style, signal) {
      const ended = AbortSignal.any([signal, closing.signal]);
      try {
        return await queue.add(() => drawOne(photo, style, ended), { signal: ended });
      } catch (error) {
        if (error instanceof CaricatureRefusedError) throw error;
        throw new ArtistUnavailableError(`The local artist did not finish: ${String(error)}`);
      }
    },
    async close() {
      closing.abort();
      await queue.onIdle();
    },
  };

  async function drawOne(photo: Buffer, style: CaricatureStyle, signal: AbortSignal): Promise<Buffer> {
    const opened = await openPhoto(photo, side);
    signal.throwIfAborted();
    const thread = startThread({ ...opened, style });
    // Once nobody waits for it, an error without a listener would crash the process.
    thread.on('error', () => undefined);
    try {
      const { width, height } = opened;
      const drawn = await drawingOf(thread, signal);
      return await sharp(drawn, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer();
    } finally {
      await thread.terminate();
    }
  }
}

/** What a thread answers. @throws when it fails, ends without an answer, or the signal comes first */
async function drawingOf(thread: Worker, signal: AbortSignal): Promise<Uint8Array> {
  const answered = once(thread, 'message', { signal }).then(([drawn]) => drawn as Uint8Array);
  const ended = once(thread, 'exit', { signal }).then(([code]): never => {
    throw new Error(`the thread ended with ${String(code)}`);
  });
  return Promise.race([answered, ended]);
}

/** Upright, of an animation the first frame, and white where nothing is. */
async function openPhoto(photo: Buffer, side: number): Promise<Omit<Painting, 'style'>> {
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
    throw new CaricatureRefusedError('bad-input', `The photo cannot be read: ${String(error)}`, true);
  }
}
