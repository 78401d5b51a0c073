// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { TIMEOUT } from '../../../testing/timeout.ts';
import { useUpdateMemory } from '../store/memory-mutations.ts';
import { useTimeline } from './use-timeline.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Four a day, so that January 2026 and December 2025 need two pages. */
const memories = Array.from({ length: 150 }, (_, index) => {
  const createdAt = new Date(Date.UTC(2026, 0, 20, 12) - index * 6 * 3_600_000).toISOString();
  return someMemory({
    id: `0191c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
    createdAt,
    memoryDate: createdAt.slice(0, 'YYYY-MM-DD'.length),
  });
});
const january = memories.filter(({ createdAt }) => createdAt.startsWith('2026-01')).length;

it.each(['2019-01-01', '2025-12-25', '2030-01-01'])(
  'keeps the rest of a month while the date of one is changed to %s',
  async (memoryDate) => {
    const server = new MemoryServer(memories);
    let isHanging = false;
    vi.stubGlobal('fetch', (path: string, options: { method?: string }) =>
      isHanging && path.includes('limit=') ? new Promise(() => {}) : server.fetch(path, options),
    );
    const client = createQueryClient(() => {});
    const { result } = renderHook(
      () => ({ timeline: useTimeline('taken')[0], update: useUpdateMemory().mutateAsync }),
      { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
    );
    const counts = () =>
      Object.fromEntries(result.current.timeline.layout.sections.map(({ month, count }) => [month, count]));
    await act(() => vi.waitFor(() => expect(counts()['2026-01']).toBe(january), TIMEOUT));
    act(() => result.current.timeline.onView(0, 30));
    await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0), TIMEOUT));
    isHanging = true;
    await act(() => result.current.update({ id: memories[20]!.id, changes: { memoryDate } }));
    await act(() => vi.waitFor(() => expect(counts()[memoryDate.slice(0, 7)]).toBeGreaterThan(0), TIMEOUT));
    await act(() => vi.waitFor(() => expect(counts()['2026-01']).toBe(january - 1), TIMEOUT));
    client.clear();
  },
);
