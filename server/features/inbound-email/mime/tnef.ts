const SIGNATURE = 0x223e9f78;
const ATTACH_DATA = 0x0006800f;
const HEADER_BYTES = 6;
/** Before the data: level, attribute and length; after it: a checksum. */
const ATTRIBUTE_BYTES = { before: 9, after: 2 };
/** Bounds the work: millions of empty ones fit into an email. */
const MAX_ATTACHMENTS = 1_000;

export function isTnef(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && bytes.readUInt32LE(0) === SIGNATURE;
}

/** MS-OXTNEF, 2.1. Own: the packages are large or unmaintained (decision 14). */
export function tnefAttachments(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = HEADER_BYTES;
  while (at + ATTRIBUTE_BYTES.before <= bytes.length && found.length < MAX_ATTACHMENTS) {
    const attribute = bytes.readUInt32LE(at + 1);
    const start = at + ATTRIBUTE_BYTES.before;
    const end = start + bytes.readUInt32LE(at + 5);
    if (end > bytes.length) break;
    if (attribute === ATTACH_DATA) found.push(bytes.subarray(start, end));
    at = end + ATTRIBUTE_BYTES.after;
  }
  return found;
}
