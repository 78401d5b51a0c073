/** libvips takes a profile for pixels only from a file: an uncompressed TIFF, whose pixels are written in place. */
export function allocateTiff(
  { width, height }: { width: number; height: number },
  icc: Uint8Array,
): { tiff: Buffer; pixels: Uint8ClampedArray } {
  // libvips holds a whole strip.
  const rowsPerStrip = 16;
  const rowBytes = width * 4;
  const strips = Math.ceil(height / rowsPerStrip);
  const ENTRIES = 12;
  const bitsAt = 8 + 2 + ENTRIES * 12 + 4;
  const offsetsAt = bitsAt + 8;
  const countsAt = offsetsAt + 4 * strips;
  const iccAt = countsAt + 4 * strips;
  const pixelsAt = iccAt + icc.length + (icc.length % 2);
  const tiff = Buffer.alloc(pixelsAt + rowBytes * height);
  tiff.write('II*\0\x08\0\0\0', 0, 'latin1');
  tiff.writeUInt16LE(ENTRIES, 8);
  const [SHORT, LONG, UNDEFINED] = [3, 4, 7];
  const listAt = (at: number) => (strips === 1 ? tiff.readUInt32LE(at) : at);
  for (let strip = 0; strip < strips; strip++) {
    const rows = Math.min(rowsPerStrip, height - strip * rowsPerStrip);
    tiff.writeUInt32LE(pixelsAt + strip * rowsPerStrip * rowBytes, offsetsAt + 4 * strip);
    tiff.writeUInt32LE(rows * rowBytes, countsAt + 4 * strip);
  }
  for (let channel = 0; channel < 4; channel++) tiff.writeUInt16LE(8, bitsAt + 2 * channel);
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 4, bitsAt],
    // No compression, RGB, samples side by side, the fourth is alpha that the colors are not multiplied by.
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, strips, listAt(offsetsAt)],
    [277, SHORT, 1, 4],
    [278, LONG, 1, rowsPerStrip],
    [279, LONG, strips, listAt(countsAt)],
    [284, SHORT, 1, 1],
    [338, SHORT, 1, 2],
    [34_675, UNDEFINED, icc.length, iccAt],
  ];
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12;
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(count, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  tiff.set(icc, iccAt);
  return { tiff, pixels: new Uint8ClampedArray(tiff.buffer, tiff.byteOffset + pixelsAt, rowBytes * height) };
}
