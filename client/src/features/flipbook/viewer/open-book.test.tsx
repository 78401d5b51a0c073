// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { OpenBook } from './open-book.tsx';

const memories = Array.from({ length: 3 }, (_, index) =>
  someMemory({ id: `0191c0de-0000-7000-8000-00000000000${index}`, caption: `Day ${index}` }),
);

/** Frames that were asked for and neither came nor were cancelled. */
let frames: Set<number>;
let observers: number;
/** Listeners of window and document by event. */
let listeners: Map<string, Set<unknown>>;

setUpComponents();
// isolate: false shares TanStack Query with files that run without a browser.
beforeEach(() => {
  frames = new Set();
  observers = 0;
  listeners = new Map();
  let lastFrame = 0;
  vi.stubGlobal('fetch', new MemoryServer(memories).fetch);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('requestAnimationFrame', () => (frames.add(++lastFrame), lastFrame));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => void observers++;
      unobserve = () => {};
      disconnect = () => void observers--;
    },
  );
  for (const target of [window, document]) {
    const of = (type: string) => {
      const each = listeners.get(type) ?? new Set();
      listeners.set(type, each);
      return each;
    };
    const add = target.addEventListener.bind(target);
    const remove = target.removeEventListener.bind(target);
    vi.spyOn(target, 'addEventListener').mockImplementation((...args: unknown[]) => {
      of(args[0] as string).add(args[1]);
      Reflect.apply(add, target, args);
    });
    vi.spyOn(target, 'removeEventListener').mockImplementation((...args: unknown[]) => {
      of(args[0] as string).delete(args[1]);
      Reflect.apply(remove, target, args);
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const liveListeners = () => [...listeners].map(([type, each]) => [type, each.size]).sort();

it('a book that is closed during a turn leaves no listener, observer or frame', () => {
  const book = (
    <QueryClientProvider client={createQueryClient(() => {})}>
      <OpenBook
        title="Memory Flipbook"
        memoryIds={memories.map(({ id }) => id)}
        startPage={0}
        onPage={() => {}}
        onSwitchView={() => {}}
        onClose={() => {}}
        actions={null}
      />
    </QueryClientProvider>
  );
  const { rerender } = showPage(null);
  const open = () => {
    rerender(book);
    fireEvent.keyDown(window, { key: 'ArrowRight' });
    expect(screen.getByText(/^Pages? 2.* of 8$/)).toBeTruthy();
    expect([frames.size, observers > 0]).toEqual([1, true]);
  };
  open();
  act(() => rerender(null));
  const after = { frames: frames.size, observers, listeners: liveListeners() };
  expect([after.frames, after.observers]).toEqual([0, 0]);
  for (let round = 0; round < 3; round++) {
    open();
    act(() => rerender(null));
    expect({ frames: frames.size, observers, listeners: liveListeners() }).toEqual(after);
  }
});
