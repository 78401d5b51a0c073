/** Own: file-type takes any text that begins with "BM" for a bitmap. */
export function isImage(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 32);
  return SIGNATURES.some((signature) => signature.test(head));
}

const SIGNATURES = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n\x1a\n/,
  /^GIF8[79]a/,
  /^RIFF[^]{4}WEBP/,
  /^[^]{4}ftyp(hei[cfsx]|hev[cmsx]|mif1|msf1|avi[fs])/, // HEIC and AVIF
  // Not supported, but detected: the reply then names the format instead of saying that there was no photo.
  /^(II\*\0|MM\0\*)/, // TIFF
  /^BM[^]{4}\0{4}/,
];
