import { parentPort, workerData } from 'node:worker_threads';
import type { CaricatureStyle } from '#shared/caricature';
import type { CartoonFilterInput } from '../cartoon-filter-worker-handle.ts';
import { applyComicFilter } from './comic.ts';
import { toLab, type LabPicture } from './lab.ts';
import { applyPencilFilter } from './pencil.ts';
import { applyPopArtFilter } from './pop-art.ts';
import { applyWatercolorFilter } from './watercolor.ts';

// The program of a painter's thread: pixels alone, so that it can be ended at any moment.
const STYLES: Record<CaricatureStyle, (photo: LabPicture) => Uint8Array> = {
  comic: applyComicFilter,
  watercolour: applyWatercolorFilter,
  pencil: applyPencilFilter,
  'pop-art': applyPopArtFilter,
};

const { rgb, width, height, style } = workerData as CartoonFilterInput;
parentPort?.postMessage(STYLES[style](toLab(rgb, width, height)));
