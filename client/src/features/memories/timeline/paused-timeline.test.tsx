// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { refetchMemories } from '../store/memory-mutations.ts';
import { useTimeline } from './use-timeline.ts';
import { stubIntersectionObserver } from '../../../testing/stub-observers.ts';

// isolate: false shares TanStack Query with files that run without a browser.
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NEW = '0191c0de-0000-7000-8000-0000000000aa';
const TIMEOUT = { timeout: 10_000 };

it('a timeline shows a new memory above once its top is in view', async () => {
  const memories = Array.from({ length: 60 }, (_, index) =>
    someMemory({
      id: `0191c0de-0000-7000-8000-0000000010${String(index).padStart(2, '0')}`,
      createdAt: new Date(Date.UTC(2026, 0, 31, 12) - index * 24 * 3_600_000).toISOString(),
    }),
  );
  const server = new MemoryServer(memories);
  const isTopInView = stubIntersectionObserver();
  vi.stubGlobal('fetch', server.fetch);
  const client = createQueryClient(() => {});
  const { result } = renderHook(() => useTimeline('added'), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const isIdle = () => act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0), TIMEOUT));
  /** The number of memories, and the first one. */
  const shown = () => {
    const { layout, itemAt } = result.current[0];
    const [section] = layout.sections;
    const item = section && itemAt(section, 0);
    return [layout.memoryCount, item && item !== 'loading' && 'id' in item ? item.id : item];
  };
  act(() => result.current[0].onView(0, 20));
  await isIdle();
  act(() => result.current[0].onView(0, 20));
  await isIdle();
  expect(shown()).toEqual([60, memories[0]?.id]);
  act(() => void result.current[1](document.createElement('div')));
  act(() => isTopInView(false));
  server.create(someMemory({ id: NEW, createdAt: '2026-01-31T13:00:00.000Z' }));
  await act(() => refetchMemories(client, [NEW]));
  await isIdle();
  expect(shown()).toEqual([60, memories[0]?.id]);
  act(() => isTopInView(true));
  await act(() => vi.waitFor(() => expect(shown()).toEqual([61, NEW]), TIMEOUT));
});
