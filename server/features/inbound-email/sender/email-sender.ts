import type { DnsResolver } from '../../../platform/dns-resolver.ts';
import { areAligned } from './aligned-domains.ts';
import { parseAuthenticationResults } from './authentication-results.ts';
import { checkDkim } from './dkim-check.ts';
import { domainOf, fromAddress } from './from-address.ts';
import { parseSection, type MimeHeader } from '../mime/headers.ts';

/** Who a message says it is from, and whether that was shown to be true. */
export type EmailSender = {
  /** Null when it does not say so in one plain way. */
  address: string | null;
  /** unsure: ask again later, a key could not be fetched. */
  proof: 'proven' | 'unproven' | 'unsure';
};

export type SenderEvidence = {
  raw: Buffer;
  /** The domain for which our own SMTP receiver found that SPF passes, empty for none; null when it came another way. */
  spfDomain: string | null;
  /** By what name the mail server in front of us signs its Authentication-Results; null when none is believed. */
  authservId: string | null;
  now: Date;
};

/**
 * Asks for proof that the address in From really sent it: our own check of its DKIM signatures, SPF as our own receiver
 * saw it, or what the configured mail server before us has found.
 */
export async function identifySender(evidence: SenderEvidence, dns: DnsResolver): Promise<EmailSender> {
  const headers = parseSection(evidence.raw)?.headers ?? [];
  const address = fromAddress(headers);
  if (!address) return { address, proof: 'unproven' };
  const domain = domainOf(address);
  if (evidence.spfDomain && areAligned(evidence.spfDomain, domain)) return { address, proof: 'proven' };
  if (isVouchedFor(headers, evidence.authservId, domain)) return { address, proof: 'proven' };
  const verdict = await checkDkim({ ...evidence, domain }, dns);
  return { address, proof: ({ pass: 'proven', none: 'unproven', unsure: 'unsure' } as const)[verdict] };
}

/** Which property of a passed check names the domain that it is about. */
const PROVEN_BY: Record<string, string[]> = {
  dkim: ['header.d', 'header.i'],
  spf: ['smtp.mailfrom'],
  dmarc: ['header.from'],
};

/** Only the topmost header of that name counts: what stands below it may have come with the message. */
function isVouchedFor(headers: MimeHeader[], authservId: string | null, domain: string): boolean {
  if (!authservId) return false;
  for (const { name, value } of headers) {
    const results = name === 'authentication-results' ? parseAuthenticationResults(value, authservId) : null;
    if (!results) continue;
    return results.some(({ method, result, properties }) => {
      const told = PROVEN_BY[method]?.map((key) => properties.get(key)).find(Boolean);
      return result === 'pass' && told !== undefined && areAligned(domainOf(told), domain);
    });
  }
  return false;
}
