// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/query-client.ts';
import { useEvents } from './use-events.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('refetches during a continuous stream of events', async () => {
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
  const burst = setInterval(
    () => source.dispatchEvent(new MessageEvent('change', { data: JSON.stringify(change) })),
    50,
  );
  await vi
    .waitFor(() => expect(invalidate).toHaveBeenCalled(), { timeout: 5_000 })
    .finally(() => clearInterval(burst));
});
