import { useEffect, useState } from 'react';

/** Where 'Skip to content' leads. */
const SKIP_LINK = 'main';

/**
 * The token of the mailed link that led here; empty without one. It stands after the `#`, which no server and no log
 * sees. Another link, opened in the same tab, brings another.
 */
export function useEmailedToken(): string {
  const [token, setToken] = useState(readToken);
  useEffect(() => {
    const follow = () => window.location.hash !== `#${SKIP_LINK}` && setToken(readToken());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return token;
}

function readToken(): string {
  return window.location.hash.slice(1);
}
