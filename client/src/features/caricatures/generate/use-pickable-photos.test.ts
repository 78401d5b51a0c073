import { describe, expect, it } from 'vitest';
import { pickablePhotos } from './use-pickable-photos.ts';

const ids = Array.from({ length: 20 }, (_, index) => `memory-${index}`);

describe('pickable photos', () => {
  it('are the 15 newest', () => {
    expect(pickablePhotos(ids, undefined)).toEqual(ids.slice(0, 15));
    expect(pickablePhotos(ids, ids[3])).toEqual(ids.slice(0, 15));
  });

  it('start with a chosen older photo, 15 in total', () => {
    expect(pickablePhotos(ids, 'memory-18')).toEqual(['memory-18', ...ids.slice(0, 14)]);
  });
});
