import { useCallback, useState } from 'react';

/** Whether an element is in sight, wherever it scrolls; also as long as nobody knows. */
export function useInSight(): [boolean, (element: HTMLElement | null) => void] {
  const [isInSight, setInSight] = useState(true);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) =>
      setInSight(entries.at(-1)?.isIntersecting ?? true),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      setInSight(true);
    };
  }, []);
  return [isInSight, ref];
}
