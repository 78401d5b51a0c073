import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/memory';
import { changesIn, wordsOf } from './memory-changes.ts';

const memory = { caption: 'At the lake', tags: ['summer', 'first, swim'] } as Memory;

describe('the changes in an edit form', () => {
  it('are none when nothing was changed, or only spaces and commas', () => {
    expect(changesIn(memory, wordsOf(memory))).toBeNull();
    expect(changesIn(memory, { ...wordsOf(memory), caption: ' At the lake ' })).toBeNull();
    expect(changesIn({ ...memory, tags: ['a', 'b'] }, { caption: 'At the lake', tags: 'a,,b ' })).toBeNull();
  });

  it('leave a tag with a comma in it alone while the tags are not touched', () => {
    expect(changesIn(memory, { ...wordsOf(memory), caption: 'By the sea' })).toEqual({
      caption: 'By the sea',
    });
  });

  it('are the fields that differ', () => {
    expect(changesIn(memory, { caption: 'At the lake', tags: 'winter' })).toEqual({ tags: ['winter'] });
    expect(changesIn(memory, { caption: ' ', tags: '' })).toEqual({ caption: null, tags: [] });
  });
});
