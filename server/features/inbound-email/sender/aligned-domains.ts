import { getDomain } from 'tldts';

/** Whether two domains belong to one organization (RFC 7489, relaxed), by the public suffix list. */
export function areAligned(one: string, other: string): boolean {
  const [a, b] = [one, other].map((domain) => domain.toLowerCase().replace(/\.$/, ''));
  if (!a || !b) return false;
  return a === b || (organization(a) !== null && organization(a) === organization(b));
}

/** Null for a public suffix itself: nobody's, or everybody's. */
function organization(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: true });
}
