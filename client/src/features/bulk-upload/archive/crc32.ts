const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Of all chunks together, as zips have it. */
export function crc32(chunks: readonly Uint8Array[]): number {
  let value = ~0;
  for (const chunk of chunks) for (const byte of chunk) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}
