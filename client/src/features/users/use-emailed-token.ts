import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { fieldMessage } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';

/** The token of an emailed link, or an empty string. It is in the URL's hash, which is never sent to a server. */
export function useEmailedToken(): string {
  const [token, setToken] = useState(readToken);
  useEffect(() => {
    // 'Skip to content' sets the hash, too.
    const update = () => window.location.hash !== '#main' && setToken(readToken());
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return token;
}

/** For a form that sends the token. @returns its `onError` */
export function handleInvalidLink(onInvalidLink: () => void) {
  return (error: unknown): boolean => {
    const isInvalid = fieldMessage(error, 'token') !== undefined;
    if (isInvalid) onInvalidLink();
    return isInvalid;
  };
}

/** Replaces the page, so that "Back" does not lead to a used link. */
export function useChooseNewPassword(): (resetToken: string) => void {
  const [, navigate] = useLocation();
  return (resetToken) => navigate(`${paths.resetPassword}#${resetToken}`, { replace: true });
}

function readToken(): string {
  return window.location.hash.slice(1);
}
