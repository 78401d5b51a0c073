import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'wouter';

/** What every page has: a way past the header, its header, and a main part that takes the focus on arrival. */
export function PageLayout({ header, children }: { header: ReactNode; children: ReactNode }) {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const lastLocation = useRef(location);
  const isWayBack = useRef(false);

  useEffect(() => {
    const listening = new AbortController();
    const note = ({ type }: Event) => (isWayBack.current = type === 'popstate');
    // Before anything else hears of the step, and renders.
    for (const step of ['popstate', 'pushState', 'replaceState'])
      window.addEventListener(step, note, { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, []);

  useEffect(() => {
    if (lastLocation.current === location) return;
    lastLocation.current = location;
    // Who comes back is led to where they were, by the browser or by the page.
    if (!isWayBack.current) window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);

  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-2.5 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      {header}
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
