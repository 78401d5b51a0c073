import { getDomain } from 'tldts';

/** Relaxed alignment (RFC 7489): both belong to one organization, by the public suffix list. */
export function areAligned(one: string, other: string): boolean {
  const [a, b] = [one, other].map((domain) => domain.toLowerCase().replace(/\.$/, ''));
  if (!a || !b) return false;
  return a === b || (organizationalDomain(a) !== null && organizationalDomain(a) === organizationalDomain(b));
}

/** Null for a public suffix itself. */
function organizationalDomain(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: true });
}
