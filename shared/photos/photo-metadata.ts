import { latin1, viewOf } from './bytes.ts';
import { heifMetadata, isHeif } from './heif-metadata.ts';

/** The blocks of a photo that hold its dates, in the order of the file. */
export interface PhotoMetadata {
  /** From the TIFF header on. */
  exif: Uint8Array[];
  xmp: Uint8Array[];
  iptc: Uint8Array[];
}

const EXIF_PREFIX = /^Exif\0[^]/;
const TIFF_HEADER = /^(?:II\*\0|MM\0\*)/;
const XMP_PREFIX = 'http://ns.adobe.com/xap/1.0/\0';
const XMP_KEYWORD = 'XML:com.adobe.xmp\0';
const PHOTOSHOP_PREFIX = 'Photoshop 3.0\0';
const IPTC_RESOURCE = 0x0404;

/** Of JPEG, PNG, WebP, HEIC and AVIF. A damaged file gives what comes before the damage. */
export function readPhotoMetadata(bytes: Uint8Array): PhotoMetadata {
  const found: PhotoMetadata = { exif: [], xmp: [], iptc: [] };
  try {
    if (latin1(bytes, 0, 2) === '\xff\xd8') readJpeg(bytes, found);
    else if (latin1(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') readPng(bytes, found);
    else if (latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 12) === 'WEBP') readWebp(bytes, found);
    else if (isHeif(bytes)) readHeif(bytes, found);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

function addExif(found: PhotoMetadata, block: Uint8Array): void {
  const tiff = EXIF_PREFIX.test(latin1(block, 0, 6)) ? block.subarray(6) : block;
  if (TIFF_HEADER.test(latin1(tiff, 0, 4))) found.exif.push(tiff);
}

function readJpeg(bytes: Uint8Array, found: PhotoMetadata): void {
  const [APP1, APP13, START_OF_SCAN, END_OF_IMAGE] = [0xe1, 0xed, 0xda, 0xd9];
  const view = viewOf(bytes);
  let offset = 2;
  for (;;) {
    // Any number of fill bytes may come before a marker.
    while (view.getUint8(offset) === 0xff) offset += 1;
    const marker = view.getUint8(offset);
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return;
    const end = offset + 1 + view.getUint16(offset + 1);
    const segment = bytes.subarray(offset + 3, end);
    const start = latin1(segment, 0, XMP_PREFIX.length);
    if (marker === APP1 && start === XMP_PREFIX) found.xmp.push(segment.subarray(XMP_PREFIX.length));
    else if (marker === APP1) addExif(found, segment);
    else if (marker === APP13 && start.startsWith(PHOTOSHOP_PREFIX))
      addIptc(found, segment.subarray(PHOTOSHOP_PREFIX.length));
    offset = end;
  }
}

/** Photoshop's image resources: '8BIM', id, Pascal string, size, data; both padded to an even length. */
function addIptc(found: PhotoMetadata, resources: Uint8Array): void {
  const view = viewOf(resources);
  let offset = 0;
  while (offset + 12 <= resources.length && latin1(resources, offset, offset + 4) === '8BIM') {
    const id = view.getUint16(offset + 4);
    const sizeAt = offset + 6 + toEven(1 + view.getUint8(offset + 6));
    const size = view.getUint32(sizeAt);
    const data = resources.subarray(sizeAt + 4, sizeAt + 4 + size);
    if (id === IPTC_RESOURCE) found.iptc.push(data);
    offset = sizeAt + 4 + toEven(size);
  }
}

const toEven = (size: number) => size + (size % 2);

function readPng(bytes: Uint8Array, found: PhotoMetadata): void {
  const view = viewOf(bytes);
  for (let offset = 8; offset < bytes.length;) {
    const size = view.getUint32(offset);
    const type = latin1(bytes, offset + 4, offset + 8);
    const data = bytes.subarray(offset + 8, offset + 8 + size);
    if (type === 'eXIf') addExif(found, data);
    else if (type === 'iTXt' && latin1(data, 0, XMP_KEYWORD.length) === XMP_KEYWORD) found.xmp.push(data);
    offset += 12 + size;
  }
}

function readWebp(bytes: Uint8Array, found: PhotoMetadata): void {
  const view = viewOf(bytes);
  for (let offset = 12; offset < bytes.length;) {
    const type = latin1(bytes, offset, offset + 4);
    const size = view.getUint32(offset + 4, true);
    const data = bytes.subarray(offset + 8, offset + 8 + size);
    if (type === 'EXIF') addExif(found, data);
    else if (type === 'XMP ') found.xmp.push(data);
    offset += 8 + toEven(size);
  }
}

function readHeif(bytes: Uint8Array, found: PhotoMetadata): void {
  const { exif, xmp } = heifMetadata(bytes);
  found.xmp.push(...xmp);
  for (const item of exif) {
    // The item begins with the length of what is before the TIFF header. Some programs write 0 before 'Exif\0\0', or no length.
    addExif(found, item);
    addExif(found, item.subarray(4 + viewOf(item).getUint32(0)));
  }
}
