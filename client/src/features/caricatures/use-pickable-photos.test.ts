import { describe, expect, it } from 'vitest';
import { pickablePhotos } from './use-pickable-photos.ts';

const ids = Array.from({ length: 20 }, (_, index) => `memory-${index}`);

describe('the photos to choose from', () => {
  it('are the fifteen newest', () => {
    expect(pickablePhotos(ids, undefined)).toEqual(ids.slice(0, 15));
    expect(pickablePhotos(ids, ids[3])).toEqual(ids.slice(0, 15));
  });

  it('begin with an older one that was chosen elsewhere, and are fifteen all the same', () => {
    expect(pickablePhotos(ids, 'memory-18')).toEqual(['memory-18', ...ids.slice(0, 14)]);
  });
});
