import { expect, it } from 'vitest';
import { COPY_VERSION, IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { squarePhotoSizes, toCopyUrl, toImageSources } from './image-sources.ts';

it('the URL of a copy names its version, so that browsers do not show one of an earlier version', () => {
  expect(toCopyUrl('/objects/a', 400)).toBe(`/objects/a?w=400&v=${COPY_VERSION}`);
  const { src, srcSet } = toImageSources('/objects/a');
  expect(src).toBe(toCopyUrl('/objects/a', 800));
  expect(srcSet.split(', ')).toEqual(
    IMAGE_WIDTHS.map((width) => `${toCopyUrl('/objects/a', width)} ${width}w`),
  );
});

it.each([
  { kind: 'a panorama of 12:1', width: 12_000, height: 1000, sizes: '1200px' },
  { kind: 'a photo of 4:3', width: 400, height: 300, sizes: '133px' },
  { kind: 'a square', width: 300, height: 300, sizes: '100px' },
  { kind: 'a tall strip', width: 100, height: 1000, sizes: '100px' },
  { kind: 'a photo of unknown size', width: null, height: null, sizes: '100px' },
])('a square that $kind covers needs a copy of $sizes', ({ width, height, sizes }) => {
  expect(squarePhotoSizes({ width, height }, 100)).toBe(sizes);
});
