import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/memory';
import { changesIn, editOf, type MemoryWords } from './memory-changes.ts';

const memory = { caption: 'At the lake', tags: ['summer', 'first, swim'] } as Memory;
const changesWhen = (words: Partial<MemoryWords>, before = memory) => {
  const edit = editOf(before);
  return changesIn({ ...edit, words: { ...edit.words, ...words } });
};

describe('the changes in an edit form', () => {
  it('are none when nothing was changed, or only spaces and commas', () => {
    expect(changesWhen({})).toBeNull();
    expect(changesWhen({ caption: ' At the lake ' })).toBeNull();
    expect(changesWhen({ tags: 'a,,b ' }, { ...memory, tags: ['a', 'b'] })).toBeNull();
  });

  it('leave a tag with a comma in it alone while the tags are not touched', () => {
    expect(changesWhen({ caption: 'By the sea' })).toEqual({ caption: 'By the sea' });
  });

  it('are the fields that differ', () => {
    expect(changesWhen({ tags: 'winter' })).toEqual({ tags: ['winter'] });
    expect(changesWhen({ caption: ' ', tags: '' })).toEqual({ caption: null, tags: [] });
  });
});
