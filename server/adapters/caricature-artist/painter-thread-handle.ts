import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CaricatureStyle } from '#shared/caricature';

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
  const isBundled = import.meta.filename.endsWith('.js');
  const program = join(import.meta.dirname, isBundled ? 'painter-thread.js' : 'painting/painter-thread.ts');
  // As an option of the thread, tsx does nothing.
  const start = `import('tsx/esm/api').then((tsx) => (tsx.register(), import(${JSON.stringify(pathToFileURL(program))})))`;
  return new Worker(isBundled ? program : start, {
    eval: !isBundled,
    workerData: painting,
    execArgv: [],
    // It paints: none of our secrets are there.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
}
