import { describe, expect, it } from 'vitest';
import { isGeneratorShown } from './generator-names.ts';

const [byAi, byFilter] = [{ artist: 'openai' }, { artist: 'local' }] as const;

describe('generator name', () => {
  it('is shown on cards if any differs from the heading', () => {
    expect(isGeneratorShown([byFilter, byFilter], 'openai')).toBe(true);
    expect(isGeneratorShown([byAi, byFilter], 'openai')).toBe(true);
    expect(isGeneratorShown([byAi, byFilter], 'local')).toBe(true);
    expect(isGeneratorShown([byAi, byAi], 'openai')).toBe(false);
    expect(isGeneratorShown([], 'local')).toBe(false);
    expect(isGeneratorShown([byAi, byAi], undefined)).toBe(true);
  });
});
