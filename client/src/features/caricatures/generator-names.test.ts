import { describe, expect, it } from 'vitest';
import { isGeneratorShown } from './generator-names.ts';

const [byAi, byFilter] = [{ artist: 'openai' }, { artist: 'local' }] as const;

describe('who made a caricature', () => {
  it('is told as soon as it is not whom the heading names for all of them', () => {
    expect(isGeneratorShown([byFilter, byFilter], 'openai')).toBe(true);
    expect(isGeneratorShown([byAi, byFilter], 'openai')).toBe(true);
    expect(isGeneratorShown([byAi, byFilter], 'local')).toBe(true);
    expect(isGeneratorShown([byAi, byAi], 'openai')).toBe(false);
    expect(isGeneratorShown([], 'local')).toBe(false);
    expect(isGeneratorShown([byAi, byAi], undefined)).toBe(true);
  });
});
