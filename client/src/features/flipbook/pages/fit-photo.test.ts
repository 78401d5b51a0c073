import { expect, it } from 'vitest';
import { fitPhoto } from './fit-photo.ts';

const page = { pageWidth: 500, pageHeight: 650 };

it('fits a photo of any aspect ratio into the page', () => {
  expect(fitPhoto({ width: 4000, height: 2000 }, page)).toEqual({ width: 400, height: 200 });
  expect(fitPhoto({ width: 1000, height: 4000 }, page)).toEqual({ width: 138, height: 550 });
});

it('enlarges a tiny photo to at most twice its size', () => {
  expect(fitPhoto({ width: 60, height: 40 }, page)).toEqual({ width: 120, height: 80 });
});

it('uses a square for a photo of unknown size', () => {
  expect(fitPhoto({ width: null, height: null }, page)).toEqual({ width: 400, height: 400 });
});
