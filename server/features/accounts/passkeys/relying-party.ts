import { isIP } from 'node:net';
import type { AppContext } from '../../../platform/context.ts';

export type RelyingParty = {
  /** The host's name, to which browsers bind a passkey. */
  id: string;
  origin: string;
};

/**
 * From PUBLIC_URL, else localhost: never from the request, whose Host anyone can choose. Null where browsers reject passkeys,
 * on IP addresses and plain http.
 */
export function findRelyingParty({
  config,
  baseUrl,
}: Pick<AppContext, 'config' | 'baseUrl'>): RelyingParty | null {
  const { publicUrl } = config.http;
  const { hostname, origin, protocol } = new URL(
    publicUrl ?? `http://localhost:${new URL(baseUrl.origin()).port}`,
  );
  const isIpAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !isIpAddress ? { id: hostname, origin } : null;
}
