import { Worker } from 'node:worker_threads';
import type { CaricatureStyle } from '#shared/caricature';
import { bundledScript } from '../bundled-script.ts';

/** What a painter's thread is given. */
export type Painting = {
  /** Three bytes a pixel, sRGB. */
  rgb: Uint8Array;
  width: number;
  height: number;
  style: CaricatureStyle;
};

/** Starts a thread that paints one picture, sends its pixels back in the same form and ends. */
export function startPainterThread(painting: Painting): Worker {
  return new Worker(bundledScript('cartoon-filter-worker'), {
    workerData: painting,
    execArgv: [],
    // It paints: none of our secrets are there.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
}
