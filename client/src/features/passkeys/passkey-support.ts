import { useAppConfig } from '../app-config/app-config-api.ts';

/** Shown to the user. The browser reports only that a ceremony has failed. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

export type PasskeyObstacle = 'no-secure-address' | 'other-address' | 'browser';

/** What prevents passkeys on this page; null if nothing does, undefined while that is not known. */
export function usePasskeyObstacle(): PasskeyObstacle | null | undefined {
  const { data } = useAppConfig();
  return data && findObstacle(data.passkeyOrigin, window.location);
}

export function findObstacle(
  passkeyOrigin: string | null,
  { hostname, origin }: Pick<Location, 'hostname' | 'origin'>,
): PasskeyObstacle | null {
  if (passkeyOrigin === origin) return 'PublicKeyCredential' in window ? null : 'browser';
  const isReachable =
    passkeyOrigin !== null && (!isLoopback(new URL(passkeyOrigin).hostname) || isLoopback(hostname));
  return isReachable ? 'other-address' : 'no-secure-address';
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
