import { describe, expect, it } from 'vitest';
import { someMemory } from '../../testing/some-memory.ts';
import { somePet } from '../../testing/some-pet.ts';
import { imageDescription, whenText } from './memory-text.ts';
import { truncateText } from '../../lib/memory-title.ts';

describe('truncateText', () => {
  it('joins lines, and keeps a short text', () => {
    expect(truncateText(' At the\n\nlake ', 11)).toBe('At the lake');
  });

  it('cuts between words if there are several', () => {
    expect(truncateText('One two three four', 11)).toBe('One two…');
    expect(truncateText('Donaudampfschifffahrt', 11)).toBe('Donaudampfs…');
  });

  it('does not cut an emoji in two', () => {
    expect(truncateText('🐕🐈🐇🐹', 2)).toBe('🐕🐈…');
  });
});

describe('imageDescription', () => {
  const rex = somePet({ name: 'Rex' });

  it('is the caption, else the pet and the day', () => {
    const uncaptioned = someMemory({ caption: null, memoryDate: '2026-03-01T17:30' });
    expect(imageDescription({ ...uncaptioned, caption: 'At the lake' }, rex)).toBe('At the lake');
    expect(imageDescription(uncaptioned, rex)).toBe('Photo of Rex, March 1, 2026');
    expect(imageDescription(uncaptioned)).toBe('Photo of March 1, 2026');
  });

  it('shortens a long name', () => {
    expect(imageDescription(someMemory(), somePet({ name: 'Sir Barks '.repeat(50) })).length).toBeLessThan(
      120,
    );
  });
});

it('a memory without a date shows the day it was added', () => {
  const details = { memoryDate: null, createdAt: new Date(2026, 2, 1, 12).toISOString() };
  expect(whenText(someMemory(details))).toBe('March 1, 2026');
  expect(whenText(someMemory({ ...details, memoryDate: '2024-02-29' }))).toBe('February 29, 2024');
});
