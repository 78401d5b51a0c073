import { describe, expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import { changesIn, editOf, withChanges, withoutChanges, type MemoryChanges } from './memory-changes.ts';
import type { MemoryWords } from '../form/memory-form.ts';

const memory = someMemory({
  caption: 'At the lake',
  tags: ['summer', 'first, swim'],
  petId: 'rex',
  memoryDate: '2026-03-01T17:30',
});
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
    expect(changesWhen({ petId: 'milo' })).toEqual({ petId: 'milo' });
    expect(changesWhen({ caption: ' ', tags: '', petId: '' })).toEqual({
      caption: null,
      tags: [],
      petId: null,
    });
  });
});

const undated = someMemory({ memoryDate: null });
const dayOnly = someMemory({ memoryDate: '2026-03-01' });

describe.each([
  {
    what: 'another day',
    words: { memoryDate: '2026-03-02' },
    sent: { memoryDate: '2026-03-02' },
    then: '2026-03-02T17:30',
  },
  {
    what: 'another time',
    words: { memoryTime: '08:00' },
    sent: { memoryDate: '2026-03-01T08:00' },
    then: '2026-03-01T08:00',
  },
  { what: 'no time', words: { memoryTime: '' }, sent: { memoryTime: null }, then: '2026-03-01' },
  {
    what: 'another day and no time',
    words: { memoryDate: '2026-03-02', memoryTime: '' },
    sent: { memoryDate: '2026-03-02', memoryTime: null },
    then: '2026-03-02',
  },
  { what: 'no day', words: { memoryDate: '' }, sent: { memoryDate: null }, then: null },
  {
    what: 'neither day nor time',
    words: { memoryDate: '', memoryTime: '' },
    sent: { memoryDate: null },
    then: null,
  },
  {
    what: 'a first day',
    before: undated,
    words: { memoryDate: '2026-03-02' },
    sent: { memoryDate: '2026-03-02' },
    then: '2026-03-02',
  },
  {
    what: 'a first time',
    before: dayOnly,
    words: { memoryTime: '08:00' },
    sent: { memoryDate: '2026-03-01T08:00' },
    then: '2026-03-01T08:00',
  },
])('$what', ({ words, sent, then, before = memory }) => {
  it('is sent alone, is seen at once, and can be taken back', () => {
    expect(changesWhen(words, before)).toEqual(sent);
    const changed = withChanges(before, sent);
    expect(changed).toEqual({ ...before, memoryDate: then });
    expect(withoutChanges(changed, before, sent as MemoryChanges)).toEqual(before);
  });
});

it('taking changes back leaves other changes of the same memory alone', () => {
  const now = { ...withChanges(memory, { petId: null }), isLiked: !memory.isLiked };
  expect(withoutChanges(now, memory, { petId: null })).toEqual({ ...memory, isLiked: !memory.isLiked });
});
