import { parentPort, workerData } from 'node:worker_threads';
import type { CaricatureStyle } from '#shared/album/caricature';
import type { CartoonFilterInput } from '../local-caricature-generator.ts';
import { applyComicFilter } from './comic.ts';
import { toLab, type LabImage } from './lab.ts';
import { applyPencilFilter } from './pencil.ts';
import { applyPopArtFilter } from './pop-art.ts';
import { applyWatercolorFilter } from './watercolor.ts';

// The entry of the worker thread. It only computes, so it can be terminated at any moment.
const FILTERS: Record<CaricatureStyle, (photo: LabImage) => Uint8Array> = {
  comic: applyComicFilter,
  watercolour: applyWatercolorFilter,
  pencil: applyPencilFilter,
  'pop-art': applyPopArtFilter,
};

const { rgb, width, height, style } = workerData as CartoonFilterInput;
parentPort?.postMessage(FILTERS[style](toLab(rgb, width, height)));
