import { splitUuencoded } from './uuencode.ts';

export function decodeBody(body: Buffer, encoding: string): Buffer {
  if (/base64/i.test(encoding)) return Buffer.from(body.toString('latin1'), 'base64');
  if (/quoted-printable/i.test(encoding)) return decodeQuotedPrintable(body);
  // x-uuencode, x-uue
  if (/uue/i.test(encoding)) return splitUuencoded(body).files[0] ?? body;
  return body;
}

const [EQUALS, CR, LF] = [0x3d, 0x0d, 0x0a];

/** Invalid escapes stay as they are. */
function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.alloc(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === EQUALS) {
      if (body[at + 1] === LF) {
        at += 1;
        continue;
      }
      if (body[at + 1] === CR && body[at + 2] === LF) {
        at += 2;
        continue;
      }
      const [high, low] = [hexDigit(body[at + 1]), hexDigit(body[at + 2])];
      if (high !== -1 && low !== -1) {
        decoded[length++] = high * 16 + low;
        at += 2;
        continue;
      }
    }
    decoded[length++] = byte;
  }
  return decoded.subarray(0, length);
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
