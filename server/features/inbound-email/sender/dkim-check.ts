import { parseSection, type MimeHeader } from '../mime/headers.ts';
import type { DnsResolver } from '../../../platform/dns-resolver.ts';
import { areAligned } from './aligned-domains.ts';

/** none: no signature speaks for that domain; unsure: its key could not be fetched just now. */
export type DkimVerdict = 'pass' | 'none' | 'unsure';

const MAX_SIGNATURES = 5;
const LONGEST_LINE = 256 * 1024;
/** Forty megabytes of base64 have fewer. */
const MOST_LINES = 700_000;
/** Of those a mail has one each. Only the lower of two is what was signed, and the upper is what is read. */
const ONLY_ONCE = ['subject', 'content-type', 'content-transfer-encoding'];

/**
 * Whether a signature of that domain's covers the whole message and its From header. Signatures of other domains prove
 * nothing here, nor do those over a part of the body (`l=`): anything may stand after that part.
 */
export async function checkDkim(
  { raw, domain, now }: { raw: Buffer; domain: string; now: Date },
  dns: DnsResolver,
): Promise<DkimVerdict> {
  const message = withSignaturesOf(domain, raw);
  if (!message) return 'none';
  // It takes a while to load, and many installations never need it.
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { results, headerFrom } = await dkimVerify(message, {
    resolver: (name: string, type: string) => dns.resolve(name, type) as Promise<string[][]>,
    curTime: now,
    minBitLength: 1024,
    // It is not asked for, and a long Return-Path, which is read otherwise, takes seconds.
    sender: '<>',
  });
  // Read by another program the message must be from the same person.
  const [from, another] = headerFrom ?? [];
  if (!from || another || !from.toLowerCase().endsWith(`@${domain}`)) return 'none';
  const own = (results as Result[]).filter(({ signingDomain = '' }) => areAligned(signingDomain, domain));
  if (own.some((each) => each.status.result === 'pass' && coversFrom(each))) return 'pass';
  return own.some(({ status }) => status.result === 'temperror') ? 'unsure' : 'none';
}

/** More than the library's own types tell of. */
type Result = {
  signingDomain?: string;
  status: { result: string };
  signingHeaders?: { keys: string };
};

function coversFrom({ signingHeaders }: Result): boolean {
  const keys = signingHeaders?.keys.split(':').map((key) => key.trim().toLowerCase());
  return keys?.includes('from') ?? false;
}

/**
 * The message with only those signatures that could prove something, so that nobody makes us ask for many keys. Null
 * when there is none, or a crowd of them.
 */
function withSignaturesOf(domain: string, raw: Buffer): Buffer | null {
  const section = parseSection(raw);
  if (!section || ONLY_ONCE.some((name) => countOf(section.headers, name) > 1)) return null;
  if (!hasLinesOfMail(section.body)) return null;
  const head = raw.toString('latin1', 0, raw.length - section.body.length);
  const lines = head
    .replace(/\r?\n/g, '\n')
    .replace(/\n+$/, '')
    .split(/\n(?![ \t])/);
  // No mail has them (RFC 5322), and the library takes minutes for a line of many.
  if (lines.some((line) => line.includes('\r'))) return null;
  const kept = lines.filter((line) => {
    if (/^arc-/i.test(line)) return false;
    return !/^dkim-signature[ \t]*:/i.test(line) || couldProve(line, domain);
  });
  const signatures = kept.filter((line) => /^dkim-signature[ \t]*:/i.test(line)).length;
  if (signatures === 0 || signatures > MAX_SIGNATURES) return null;
  const newHead = `${kept.join('\n').replaceAll('\n', '\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(newHead, 'latin1'), withCrlf(section.body)]);
}

function countOf(headers: MimeHeader[], name: string): number {
  return headers.filter((header) => header.name === name).length;
}

function couldProve(line: string, domain: string): boolean {
  const tags = line
    .slice(line.indexOf(':') + 1)
    .split(';')
    .map((tag) => tag.replace(/\s+/g, ''));
  const valueOf = (name: string) => tags.find((tag) => tag.toLowerCase().startsWith(`${name}=`))?.slice(2);
  // SHA-1 is no proof any more (RFC 8301).
  const isStrong = /-sha256$/i.test(valueOf('a') ?? '');
  return isStrong && areAligned(valueOf('d') ?? '', domain) && valueOf('l') === undefined;
}

/**
 * Whether a mail program could have written lines so long (RFC 5322 allows a thousand bytes) and so many. Of others a few
 * megabytes keep the library busy for minutes, or take all memory.
 */
function hasLinesOfMail(body: Buffer): boolean {
  let start = 0;
  for (let lines = 0; start < body.length; lines++) {
    const end = body.indexOf(0x0a, start);
    const next = end === -1 ? body.length : end + 1;
    if (next - start > LONGEST_LINE || lines === MOST_LINES) return false;
    start = next;
  }
  return true;
}

/** Lines end so in what was signed. The library knows, but takes each line that does not by itself. */
function withCrlf(body: Buffer): Buffer {
  return Buffer.from(body.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}
