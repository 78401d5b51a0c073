import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'wouter';

/** Skip link, header and main landmark. A navigation moves the focus to the main landmark. */
export function PageLayout({ header, children }: { header: ReactNode; children: ReactNode }) {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const lastLocation = useRef(location);
  const isBackOrForward = useRef(false);

  useEffect(() => {
    const listeners = new AbortController();
    const onNavigation = ({ type }: Event) => (isBackOrForward.current = type === 'popstate');
    // Capture: runs before the router's listener renders the next page.
    for (const type of ['popstate', 'pushState', 'replaceState'])
      window.addEventListener(type, onNavigation, { capture: true, signal: listeners.signal });
    return () => listeners.abort();
  }, []);

  useEffect(() => {
    if (lastLocation.current === location) return;
    lastLocation.current = location;
    // On back and forward the browser or the page restores the scroll position.
    if (!isBackOrForward.current) window.scrollTo(0, 0);
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
