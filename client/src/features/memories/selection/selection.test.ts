import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_BULK_MEMORIES } from '#shared/album/memory';
import { createSelection, type Selection } from './selection.ts';

const LIST = ['a', 'b', 'c', 'd', 'e'];

let selection: Selection;
const onFull = vi.fn();

beforeEach(() => {
  onFull.mockClear();
  selection = createSelection(onFull);
});

describe('a selection', () => {
  it('begins with the first toggled memory, and ends empty', () => {
    expect([selection.isActive(), selection.has('a')]).toEqual([false, false]);
    selection.toggle('a');
    expect([selection.isActive(), selection.has('a'), selection.has('b')]).toEqual([true, true, false]);
    selection.toggle('a');
    expect([selection.isActive(), selection.ids()]).toEqual([true, []]);
    selection.toggle('b');
    selection.end();
    expect([selection.isActive(), selection.ids()]).toEqual([false, []]);
  });

  it('selects or deselects a range in both directions, like its first memory', () => {
    selection.toggle('c');
    selection.extendTo('e', LIST);
    expect(selection.ids()).toEqual(['c', 'd', 'e']);
    selection.extendTo('b', LIST);
    expect([...selection.ids()].sort()).toEqual(['b', 'c']);
    selection.toggle('e');
    selection.toggle('c');
    selection.extendTo('e', LIST);
    expect(selection.ids()).toEqual(['b']);
    selection.extendTo('d', LIST);
    expect([...selection.ids()].sort()).toEqual(['b', 'e']);
  });

  it('begins a range of the keyboard with the focused memory, and makes it smaller again', () => {
    selection.start();
    selection.extendTo('b', LIST, 'a');
    selection.extendTo('c', LIST, 'b');
    selection.extendTo('b', LIST, 'c');
    expect(selection.ids()).toEqual(['a', 'b']);
    selection.extendTo('e', LIST, 'd');
    expect(selection.ids()).toEqual(['a', 'b', 'd', 'e']);
  });

  it('selects one memory if none was toggled before, or that has left the list', () => {
    selection.extendTo('b', LIST);
    expect(selection.ids()).toEqual(['b']);
    selection.toggle('gone');
    selection.extendTo('d', LIST);
    selection.extendTo('e', LIST);
    expect(selection.ids()).toEqual(['b', 'gone', 'd', 'e']);
    selection.retain(LIST);
    expect(selection.ids()).toEqual(['b', 'd', 'e']);
    selection.extendTo('d', LIST);
    expect(selection.ids()).toEqual(['b', 'd']);
  });

  it('has a maximum, and reports when it is reached', () => {
    const list = Array.from({ length: MAX_BULK_MEMORIES + 1 }, (_, n) => String(n));
    selection.toggle('0');
    selection.extendTo(String(MAX_BULK_MEMORIES), list);
    expect(selection.ids()).toEqual(list.slice(0, MAX_BULK_MEMORIES));
    expect(selection.has(String(MAX_BULK_MEMORIES))).toBe(false);
    expect(onFull).toHaveBeenCalledOnce();
    selection.toggle(String(MAX_BULK_MEMORIES));
    expect(selection.has(String(MAX_BULK_MEMORIES))).toBe(false);
    selection.extendTo('500', list);
    expect(selection.ids()).toEqual(list.slice(0, MAX_BULK_MEMORIES));
  });

  it('tells its listeners of each change, and returns the same ids until then', () => {
    const listener = vi.fn();
    const stop = selection.subscribe(listener);
    selection.toggle('a');
    expect(listener).toHaveBeenCalledOnce();
    expect(selection.ids()).toBe(selection.ids());
    stop();
    selection.toggle('b');
    expect(listener).toHaveBeenCalledOnce();
  });
});
