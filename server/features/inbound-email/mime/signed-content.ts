/** RFC 5652 SignedData, not verified. Own: the packages are large or unmaintained (decision 14). */
export function signedContent(bytes: Buffer): Buffer | null {
  const [contentInfo] = parseElements(bytes);
  const [type, wrapped] = contentInfo ? parseElements(contentInfo.content) : [];
  if (!type?.content.equals(SIGNED_DATA) || !wrapped) return null;
  const [signedData] = parseElements(wrapped.content);
  const encapsulated = signedData && parseElements(signedData.content)[2];
  const content = encapsulated && parseElements(encapsulated.content)[1];
  const octets = content && parseElements(content.content)[0];
  return octets ? joinOctets(octets) : null;
}

const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex');
const CONSTRUCTED = 0x20;
const MAX_DEPTH = 16;
/** Streaming programs write thousands of small pieces. */
const MAX_ELEMENTS = 100_000;

type Element = { tag: number; content: Buffer };

/** An octet string may be split into pieces. */
function joinOctets({ tag, content }: Element): Buffer {
  if (!(tag & CONSTRUCTED)) return content;
  return Buffer.concat(parseElements(content).map((piece) => piece.content));
}

/** Sibling elements, up to the first invalid one. */
function parseElements(bytes: Buffer): Element[] {
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
    // Indefinite length: ends at two zero bytes after its nested elements.
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
