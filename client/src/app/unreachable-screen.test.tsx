// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UnreachableScreen } from './unreachable-screen.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('tries again every 10 seconds, and when the page is looked at again, until it is gone', () => {
  const onRetry = vi.fn();
  const { unmount } = render(<UnreachableScreen onRetry={onRetry} isRetrying={false} />);
  vi.advanceTimersByTime(20_000);
  expect(onRetry).toHaveBeenCalledTimes(2);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(onRetry).toHaveBeenCalledTimes(3);
  unmount();
  vi.advanceTimersByTime(20_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(onRetry).toHaveBeenCalledTimes(3);
});
