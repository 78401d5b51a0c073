import type { DnsResolver } from '../../../platform/dns-resolver.ts';
import { areAligned } from './aligned-domains.ts';
import { parseAuthenticationResults } from './authentication-results.ts';
import { checkDkim } from './dkim-check.ts';
import { domainOf, parseFromAddress } from './from-address.ts';
import { parseSection, type MimeHeader } from '../mime/headers.ts';

export type EmailSender = {
  /** From the From header; null when that is ambiguous. */
  address: string | null;
  /** unsure: a key could not be fetched, retry later. */
  authentication: 'authenticated' | 'unauthenticated' | 'unsure';
};

export type SenderEvidence = {
  raw: Buffer;
  /** The domain whose SPF passed; empty for none; null when our own SMTP receiver did not check it. */
  spfDomain: string | null;
  /** The name of the mail server whose Authentication-Results are trusted; null for none. */
  authservId: string | null;
  now: Date;
};

/** Verifies From by SPF of our own receiver, the results of the configured mail server, or our own DKIM check. */
export async function verifySender(evidence: SenderEvidence, dns: DnsResolver): Promise<EmailSender> {
  const headers = parseSection(evidence.raw)?.headers ?? [];
  const address = parseFromAddress(headers);
  if (!address) return { address, authentication: 'unauthenticated' };
  const domain = domainOf(address);
  if (evidence.spfDomain && areAligned(evidence.spfDomain, domain))
    return { address, authentication: 'authenticated' };
  if (isAuthenticated(headers, evidence.authservId, domain))
    return { address, authentication: 'authenticated' };
  const verdict = await checkDkim({ ...evidence, domain }, dns);
  return {
    address,
    authentication: ({ pass: 'authenticated', none: 'unauthenticated', unsure: 'unsure' } as const)[verdict],
  };
}

const DOMAIN_PROPERTIES: Record<string, string[]> = {
  dkim: ['header.d', 'header.i'],
  spf: ['smtp.mailfrom'],
  dmarc: ['header.from'],
};

/** Only the topmost header of the trusted server counts: those below may have come with the message. */
function isAuthenticated(headers: MimeHeader[], authservId: string | null, domain: string): boolean {
  if (!authservId) return false;
  for (const { name, value } of headers) {
    const results = name === 'authentication-results' ? parseAuthenticationResults(value, authservId) : null;
    if (!results) continue;
    return results.some(({ method, result, properties }) => {
      const checked = DOMAIN_PROPERTIES[method]?.map((key) => properties.get(key)).find(Boolean);
      return result === 'pass' && checked !== undefined && areAligned(domainOf(checked), domain);
    });
  }
  return false;
}
