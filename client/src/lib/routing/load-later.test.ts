// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { afterFirstPhotos } from './load-later.tsx';

afterEach(() => vi.useRealTimers());

it('waits two seconds after `load`, in which the first photos are loaded', async () => {
  vi.useFakeTimers();
  const early = vi.fn(() => Promise.resolve());
  const late = vi.fn(() => Promise.resolve());
  afterFirstPhotos(early);
  window.dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(1999);
  expect(early).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(early).toHaveBeenCalledOnce();
  afterFirstPhotos(late);
  expect(late).toHaveBeenCalledOnce();
});
