import { usePathname, useSearch } from 'wouter/use-browser-location';

/**
 * Tells whether the browser is still at the address that is shown. Effects run late: one that writes to the history may
 * come after a step back, and would write over another entry.
 */
export function useIsHere(): () => boolean {
  const path = usePathname();
  const search = useSearch();
  return () => window.location.pathname === path && window.location.search === search;
}
