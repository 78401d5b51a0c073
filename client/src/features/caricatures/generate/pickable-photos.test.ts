import { describe, expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import { pickablePhotos } from './pickable-photos.ts';

const memories = Array.from({ length: 20 }, (_, index) => ({ ...someMemory(), id: `memory-${index}` }));
const idsOf = (photos: { id: string }[]) => photos.map(({ id }) => id);

describe('the photos to choose from', () => {
  it('are the fifteen newest', () => {
    expect(idsOf(pickablePhotos(memories, null))).toEqual(idsOf(memories.slice(0, 15)));
    expect(idsOf(pickablePhotos(memories, memories[3]!))).toEqual(idsOf(memories.slice(0, 15)));
  });

  it('begin with an older one that was chosen elsewhere, and are fifteen all the same', () => {
    const photos = pickablePhotos(memories, memories[18]!);
    expect(idsOf(photos)).toEqual(['memory-18', ...idsOf(memories.slice(0, 14))]);
  });
});
