import { useCallback, useState } from 'react';

/** What is below has not been scrolled past. Wide enough for any page. */
const BELOW = '0px 0px 1000000px 0px';

/** Whether an element is in view or below it, so that nobody has scrolled past it; true until it is observed. */
export function useInViewOrBelow(): [boolean, (element: HTMLElement | null) => void] {
  const [isInView, setInView] = useState(true);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? true),
      { rootMargin: BELOW },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      setInView(true);
    };
  }, []);
  return [isInView, ref];
}
