import { parseSection, type MimeHeader } from '../mime/headers.ts';
import type { DnsResolver } from '../../../platform/dns-resolver.ts';
import { areAligned } from './aligned-domains.ts';

/** none: no valid signature of the domain; unsure: its key could not be fetched now. */
type DkimVerdict = 'pass' | 'none' | 'unsure';

const MAX_SIGNATURES = 5;
const LINE_MAX_BYTES = 256 * 1024;
/** More than 40 MB of base64 have. */
const MAX_LINES = 700_000;
/** Reject duplicates: DKIM signs the lower of two, mail programs show the upper. */
const SINGLE_HEADERS = ['subject', 'content-type', 'content-transfer-encoding'];

/** Ignores signatures over a part of the body (`l=`): anything could be appended. */
export async function checkDkim(
  { raw, domain, now }: { raw: Buffer; domain: string; now: Date },
  dns: DnsResolver,
): Promise<DkimVerdict> {
  const message = keepSignaturesOf(domain, raw);
  if (!message) return 'none';
  // Loaded lazily: many installations never need it.
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { results, headerFrom } = await dkimVerify(message, {
    resolver: (name: string, type: string) => dns.resolve(name, type) as Promise<string[][]>,
    curTime: now,
    minBitLength: 1024,
    // Otherwise mailauth parses Return-Path, which takes seconds for a long one.
    sender: '<>',
  });
  // mailauth must find the same single From as we do.
  const [from, another] = headerFrom ?? [];
  if (!from || another || !from.toLowerCase().endsWith(`@${domain}`)) return 'none';
  const own = (results as Result[]).filter(({ signingDomain = '' }) => areAligned(signingDomain, domain));
  if (own.some((each) => each.status.result === 'pass' && coversFrom(each))) return 'pass';
  return own.some(({ status }) => status.result === 'temperror') ? 'unsure' : 'none';
}

/** mailauth's own types lack these. */
type Result = {
  signingDomain?: string;
  status: { result: string };
  signingHeaders?: { keys: string };
};

function coversFrom({ signingHeaders }: Result): boolean {
  const keys = signingHeaders?.keys.split(':').map((key) => key.trim().toLowerCase());
  return keys?.includes('from') ?? false;
}

/** Drops signatures that cannot count, so that a message cannot cause many DNS queries. */
function keepSignaturesOf(domain: string, raw: Buffer): Buffer | null {
  const section = parseSection(raw);
  if (!section || SINGLE_HEADERS.some((name) => countOf(section.headers, name) > 1)) return null;
  if (!hasPlausibleLines(section.body)) return null;
  const head = raw.toString('latin1', 0, raw.length - section.body.length);
  const lines = head
    .replace(/\r?\n/g, '\n')
    .replace(/\n+$/, '')
    .split(/\n(?![ \t])/);
  // Invalid (RFC 5322), and mailauth takes minutes for a line of many.
  if (lines.some((line) => line.includes('\r'))) return null;
  const remaining = lines.filter((line) => {
    if (/^arc-/i.test(line)) return false;
    return !/^dkim-signature[ \t]*:/i.test(line) || canCount(line, domain);
  });
  const signatures = remaining.filter((line) => /^dkim-signature[ \t]*:/i.test(line)).length;
  if (signatures === 0 || signatures > MAX_SIGNATURES) return null;
  const newHead = `${remaining.join('\n').replaceAll('\n', '\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(newHead, 'latin1'), toCrlf(section.body)]);
}

function countOf(headers: MimeHeader[], name: string): number {
  return headers.filter((header) => header.name === name).length;
}

function canCount(line: string, domain: string): boolean {
  const tags = line
    .slice(line.indexOf(':') + 1)
    .split(';')
    .map((tag) => tag.replace(/\s+/g, ''));
  const valueOf = (name: string) => tags.find((tag) => tag.toLowerCase().startsWith(`${name}=`))?.slice(2);
  // SHA-1 is obsolete (RFC 8301).
  const isStrong = /-sha256$/i.test(valueOf('a') ?? '');
  return isStrong && areAligned(valueOf('d') ?? '', domain) && valueOf('l') === undefined;
}

/** RFC 5322 allows 998 bytes a line. A few megabytes of longer or more lines keep mailauth busy for minutes. */
function hasPlausibleLines(body: Buffer): boolean {
  let start = 0;
  for (let lines = 0; start < body.length; lines++) {
    const end = body.indexOf(0x0a, start);
    const next = end === -1 ? body.length : end + 1;
    if (next - start > LINE_MAX_BYTES || lines === MAX_LINES) return false;
    start = next;
  }
  return true;
}

/** As signed. mailauth converts bare LFs as well, but slowly. */
function toCrlf(body: Buffer): Buffer {
  return Buffer.from(body.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}
