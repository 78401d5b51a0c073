import { focusManager, InfiniteQueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CaricatureStatus } from '#shared/album/caricature';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { someCaricature } from '../../testing/some-caricature.ts';
import { caricaturesQuery } from './caricature-api.ts';

/** The server's response. */
let status: CaricatureStatus;
/** The number of requests. */
let calls = 0;

beforeEach(() => {
  calls = 0;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => {
    calls++;
    return Promise.resolve(Response.json([someCaricature({ status })]));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

async function follow(): Promise<() => void> {
  const queryClient = createQueryClient(() => {});
  const stop = new InfiniteQueryObserver(queryClient, caricaturesQuery('')).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  return stop;
}

describe('the caricature list', () => {
  it('is polled every second while one is generating, also in the background', async () => {
    focusManager.setFocused(false);
    status = 'generating';
    const stop = await follow();
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toBe(2);
    await vi.advanceTimersByTimeAsync(3000);
    expect(calls).toBe(5);
    status = 'completed';
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toBe(6);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toBe(6);
    stop();
  });

  it.each(['completed', 'failed'] as const)('is fetched once when all are %s', async (finalStatus) => {
    status = finalStatus;
    const stop = await follow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toBe(1);
    stop();
  });
});
