import { vi } from 'vitest';

/** jsdom has none. Call it before each test. */
export function stubResizeObserver(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
}

/** @returns a function that reports to the observer created last */
export function stubIntersectionObserver(): (isIntersecting: boolean) => void {
  let report: (isIntersecting: boolean) => void = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        report = (isIntersecting) => onChange([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  return (isIntersecting) => report(isIntersecting);
}
