// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { afterPage } from './load-later.tsx';

it('waits two seconds after the page, in which its first photos are loaded', async () => {
  vi.useFakeTimers();
  const early = vi.fn(() => Promise.resolve());
  const late = vi.fn(() => Promise.resolve());
  afterPage(early);
  window.dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(1999);
  expect(early).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(early).toHaveBeenCalledOnce();
  afterPage(late);
  expect(late).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
