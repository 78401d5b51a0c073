import { parentPort, workerData } from 'node:worker_threads';
import type { CaricatureStyle } from '#shared/caricature';
import type { Painting } from '../cartoon-filter-worker-handle.ts';
import { paintComic } from './comic.ts';
import { toLab, type LabPicture } from './lab.ts';
import { paintPencil } from './pencil.ts';
import { paintPopArt } from './pop-art.ts';
import { paintWatercolour } from './watercolor.ts';

// The program of a painter's thread: pixels alone, so that it can be ended at any moment.
const STYLES: Record<CaricatureStyle, (photo: LabPicture) => Uint8Array> = {
  comic: paintComic,
  watercolour: paintWatercolour,
  pencil: paintPencil,
  'pop-art': paintPopArt,
};

const { rgb, width, height, style } = workerData as Painting;
parentPort?.postMessage(STYLES[style](toLab(rgb, width, height)));
