import { describe, expect, it } from 'vitest';
import { isArtistTold } from './artist-names.ts';

const [byAi, byFilter] = [{ artist: 'openai' }, { artist: 'local' }] as const;

describe('who made a caricature', () => {
  it('is told as soon as it is not whom the heading names for all of them', () => {
    expect(isArtistTold([byFilter, byFilter], 'openai')).toBe(true);
    expect(isArtistTold([byAi, byFilter], 'openai')).toBe(true);
    expect(isArtistTold([byAi, byFilter], 'local')).toBe(true);
    expect(isArtistTold([byAi, byAi], 'openai')).toBe(false);
    expect(isArtistTold([], 'local')).toBe(false);
    expect(isArtistTold([byAi, byAi], undefined)).toBe(true);
  });
});
