import { useCallback, useState } from 'react';

/** Whether an element is in view; true until it is observed. */
export function useInView(): [boolean, (element: HTMLElement | null) => void] {
  const [isInView, setInView] = useState(true);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? true));
    observer.observe(element);
    return () => {
      observer.disconnect();
      setInView(true);
    };
  }, []);
  return [isInView, ref];
}
