type Size = { width: number; height: number };

/** Of JPEG, PNG, GIF and WebP, from their headers; null for others. The decoder is too slow for logos of unknown senders. */
export function imageSizeOf(bytes: Buffer): Size | null {
  try {
    if (bytes.readUInt16BE(0) === 0xffd8) return jpegSize(bytes);
    const head = bytes.toString('latin1', 0, 16);
    if (head.startsWith('\x89PNG')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (head.startsWith('GIF8')) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    return head.startsWith('RIFF') ? webpSize(bytes, head.slice(12)) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function jpegSize(bytes: Buffer): Size | null {
  for (let at = 2; at < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    // SOF0 to SOF15 without DHT, JPG and DAC.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // 0xff may be repeated as a filler.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpSize(bytes: Buffer, format: string): Size | null {
  if (format === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (format === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (format !== 'VP8L') return null;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
