/**
 * The message inside a `smime.p7m` that is signed and not encrypted (RFC 5652 SignedData, in DER or BER): who signed it
 * is not looked at. Null for one that is encrypted, or is no such thing.
 */
export function signedContent(bytes: Buffer): Buffer | null {
  const [contentInfo] = elements(bytes);
  const [type, wrapped] = contentInfo ? elements(contentInfo.content) : [];
  if (!type?.content.equals(SIGNED_DATA) || !wrapped) return null;
  const [signedData] = elements(wrapped.content);
  const encapsulated = signedData && elements(signedData.content)[2];
  const content = encapsulated && elements(encapsulated.content)[1];
  const octets = content && elements(content.content)[0];
  return octets ? joined(octets) : null;
}

const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex');
const CONSTRUCTED = 0x20;
const MAX_DEPTH = 16;
/** A program that writes in small pieces writes thousands of them. */
const MAX_ELEMENTS = 100_000;

type Element = { tag: number; content: Buffer };

/** An octet string may come in pieces. */
function joined({ tag, content }: Element): Buffer {
  if (!(tag & CONSTRUCTED)) return content;
  return Buffer.concat(elements(content).map((piece) => piece.content));
}

/** What stands side by side; what is broken ends the list. */
function elements(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length && found.length < MAX_ELEMENTS;) {
    const extent = extentOf(bytes, at, 0);
    if (!extent || bytes[at] === 0) break;
    found.push({ tag: bytes[at] ?? 0, content: bytes.subarray(extent.start, extent.end) });
    at = extent.next;
  }
  return found;
}

function extentOf(
  bytes: Buffer,
  at: number,
  depth: number,
): { start: number; end: number; next: number } | null {
  const first = bytes[at + 1];
  if (first === undefined || depth > MAX_DEPTH) return null;
  if (first === 0x80) {
    // Of no told length: up to the mark of its end, over all that is in it.
    let inner = at + 2;
    while (inner + 1 < bytes.length && !(bytes[inner] === 0 && bytes[inner + 1] === 0)) {
      const extent = extentOf(bytes, inner, depth + 1);
      if (!extent) return null;
      inner = extent.next;
    }
    return { start: at + 2, end: inner, next: inner + 2 };
  }
  const lengthBytes = first & 0x80 ? first & 0x7f : 0;
  if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return null;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes ? bytes.readUIntBE(at + 2, lengthBytes) : first;
  return start + length > bytes.length ? null : { start, end: start + length, next: start + length };
}
