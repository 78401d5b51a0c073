// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { TIMEOUT } from '../../testing/timeout.ts';
import { useEvents } from './use-events.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('refetches during a continuous stream of events', async () => {
  vi.useFakeTimers();
  const source = new EventTarget();
  vi.stubGlobal('EventSource', function EventSource() {
    return Object.assign(source, { close: () => {} });
  });
  const client = createQueryClient(() => {});
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  renderHook(() => useEvents('user'), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const change = { kind: 'memory', ids: ['0191c0de-0000-7000-8000-000000000001'] };
  for (let sent = 0; sent < 20; sent++) {
    source.dispatchEvent(new MessageEvent('change', { data: JSON.stringify(change) }));
    vi.advanceTimersByTime(50);
  }
  // It loads code to refetch.
  vi.useRealTimers();
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalled(), TIMEOUT);
});
