/** Whether these bytes begin as a picture does, whatever its name and type say. Reads nothing but the first few. */
export function isPicture(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 32);
  return BEGINNINGS.some((each) => each.test(head));
}

const BEGINNINGS = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n\x1a\n/,
  /^GIF8[79]a/,
  /^RIFF[^]{4}WEBP/,
  /^[^]{4}ftyp(hei[cfsx]|hev[cmsx]|mif1|msf1|avi[fs])/, // HEIC and AVIF
  // These we cannot read, and say so rather than that there was no photo.
  /^(II\*\0|MM\0\*)/, // TIFF
  /^BM[^]{4}\0{4}/,
];
