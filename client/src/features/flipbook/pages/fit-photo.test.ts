import { expect, it } from 'vitest';
import { fitPhoto } from './fit-photo.ts';

const page = { pageWidth: 500, pageHeight: 650 };

it('a photo of any shape is whole on its page, in its own shape', () => {
  expect(fitPhoto({ width: 4000, height: 2000 }, page)).toEqual({ width: 400, height: 200 });
  expect(fitPhoto({ width: 1000, height: 4000 }, page)).toEqual({ width: 138, height: 550 });
});

it('a tiny one is enlarged to twice its size at most', () => {
  expect(fitPhoto({ width: 60, height: 40 }, page)).toEqual({ width: 120, height: 80 });
});

it('one of unknown size is given a square', () => {
  expect(fitPhoto({ width: null, height: null }, page)).toEqual({ width: 400, height: 400 });
});
