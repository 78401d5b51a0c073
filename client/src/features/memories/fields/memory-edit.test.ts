import { describe, expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import { applyChanges } from '../store/memory-changes.ts';
import { getChanges, startEdit } from './memory-edit.ts';
import type { MemoryFormValues } from './memory-form-values.ts';

const memory = someMemory({
  caption: 'At the lake',
  tags: ['summer', 'first, swim'],
  petId: 'rex',
  memoryDate: '2026-03-01T17:30',
});
const changesWhen = (values: Partial<MemoryFormValues>, before = memory) => {
  const edit = startEdit(before);
  return getChanges({ ...edit, values: { ...edit.values, ...values } });
};

describe('changes in the edit form', () => {
  it('are null if nothing but spaces and commas was changed', () => {
    expect(changesWhen({})).toBeNull();
    expect(changesWhen({ caption: ' At the lake ' })).toBeNull();
    expect(changesWhen({ tags: 'a,,b ' }, { ...memory, tags: ['a', 'b'] })).toBeNull();
  });

  it('keep a tag that contains a comma if the tags were not edited', () => {
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
    values: { memoryDate: '2026-03-02' },
    sent: { memoryDate: '2026-03-02' },
    then: '2026-03-02T17:30',
  },
  {
    what: 'another time',
    values: { memoryTime: '08:00' },
    sent: { memoryDate: '2026-03-01T08:00' },
    then: '2026-03-01T08:00',
  },
  { what: 'no time', values: { memoryTime: '' }, sent: { memoryTime: null }, then: '2026-03-01' },
  {
    what: 'another day and no time',
    values: { memoryDate: '2026-03-02', memoryTime: '' },
    sent: { memoryDate: '2026-03-02', memoryTime: null },
    then: '2026-03-02',
  },
  { what: 'no day', values: { memoryDate: '' }, sent: { memoryDate: null }, then: null },
  {
    what: 'neither day nor time',
    values: { memoryDate: '', memoryTime: '' },
    sent: { memoryDate: null },
    then: null,
  },
  {
    what: 'a first day',
    before: undated,
    values: { memoryDate: '2026-03-02' },
    sent: { memoryDate: '2026-03-02' },
    then: '2026-03-02',
  },
  {
    what: 'a first time',
    before: dayOnly,
    values: { memoryTime: '08:00' },
    sent: { memoryDate: '2026-03-01T08:00' },
    then: '2026-03-01T08:00',
  },
])('$what', ({ values, sent, then, before = memory }) => {
  it('is the only field sent, and is applied optimistically', () => {
    expect(changesWhen(values, before)).toEqual(sent);
    expect(applyChanges(before, sent)).toEqual({ ...before, memoryDate: then });
  });
});
