import { describe, expect, it } from 'vitest';
import { readCaptureDate } from './capture-date.ts';

const EXIF = 'Exif\0\0';
const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const [DATE_TIME, ORIGINAL, DIGITIZED] = [0x0132, 0x9003, 0x9004];

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const concat = (parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const uint16 = (value: number) => Uint8Array.of(value >> 8, value & 255);
const uint32 = (value: number) => concat([uint16(value >>> 16), uint16(value & 0xffff)]);

/** The Exif block of a camera, with texts by their tags. */
function tiff(
  tags: Record<number, string>,
  order: 'II' | 'MM' = 'MM',
  directory: 'exif' | 'first' = 'exif',
): Uint8Array {
  const short = (value: number) => (order === 'MM' ? uint16(value) : uint16(value).reverse());
  const long = (value: number) => (order === 'MM' ? uint32(value) : uint32(value).reverse());
  const entries = Object.entries(tags).map(([tag, text]) => ({
    tag: Number(tag),
    text: ascii(`${text}\0`),
  }));
  const start = directory === 'exif' ? 26 : 8;
  let textAt = start + 2 + entries.length * 12 + 4;
  const written = entries.map(({ tag, text }) => {
    const entry = concat([short(tag), short(2), long(text.length), long(textAt)]);
    textAt += text.length;
    return entry;
  });
  const pointer = [short(1), short(0x8769), short(4), long(1), long(start), long(0)];
  return concat([
    ascii(order),
    short(42),
    long(8),
    ...(directory === 'exif' ? pointer : []),
    short(entries.length),
    ...written,
    long(0),
    ...entries.map(({ text }) => text),
  ]);
}

function jpeg(...segments: [marker: number, data: Uint8Array][]): Uint8Array {
  const written = segments.map(([marker, data]) =>
    concat([Uint8Array.of(0xff, 0xff, marker), uint16(data.length + 2), data]),
  );
  return concat([Uint8Array.of(0xff, 0xd8), ...written, Uint8Array.of(0xff, 0xda, 0, 2, 1, 2)]);
}

const jpegWith = (block: Uint8Array) => jpeg([0xe0, ascii('JFIF\0')], [0xe1, block]);
const jpegOf = (tags: Record<number, string>) => jpegWith(concat([ascii(EXIF), tiff(tags)]));

function png(...chunks: [type: string, data: Uint8Array][]): Uint8Array {
  const checksum = new Uint8Array(4);
  const written = chunks.map(([type, data]) => concat([uint32(data.length), ascii(type), data, checksum]));
  return concat([ascii('\x89PNG\r\n\x1a\n'), ...written]);
}

function webp(...chunks: [type: string, data: Uint8Array][]): Uint8Array {
  const written = chunks.map(([type, data]) =>
    concat([ascii(type), uint32(data.length).reverse(), data, new Uint8Array(data.length % 2)]),
  );
  const content = concat([ascii('WEBP'), ...written]);
  return concat([ascii('RIFF'), uint32(content.length).reverse(), content]);
}

const box = (type: string, ...content: Uint8Array[]) => {
  const data = concat(content);
  return concat([uint32(data.length + 8), ascii(type), data]);
};

interface HeifOptions {
  brand?: 'heic' | 'avif' | 'mif1';
  type?: string;
  /** Whether the item is stored in two parts of the file, or in `idat`. */
  location?: 'file' | 'idat';
}

/** One metadata item of a HEIC or AVIF. */
function heif(
  item: Uint8Array,
  { brand = 'heic', type = 'Exif', location = 'file' }: HeifOptions = {},
): Uint8Array {
  const ftyp = box('ftyp', ascii(brand), uint32(0), ascii(brand));
  const half = Math.floor(item.length / 2);
  const infe = box('infe', uint32(2 << 24), uint16(7), uint16(0), ascii(type));
  const iinf = box('iinf', uint32(0), uint16(1), infe);
  const meta = (start: number) => {
    const extents = [uint32(start), uint32(half), uint32(start + half), uint32(item.length - half)];
    const itemLocation = [uint16(7), uint16(location === 'idat' ? 1 : 0), uint16(0), uint16(2), ...extents];
    const iloc = box('iloc', uint32(1 << 24), uint16(0x4400), uint16(1), ...itemLocation);
    return box('meta', uint32(0), iinf, iloc, ...(location === 'idat' ? [box('idat', item)] : []));
  };
  const start = location === 'idat' ? 0 : ftyp.length + meta(0).length + 8;
  return concat([ftyp, meta(start), ...(location === 'file' ? [box('mdat', item)] : [])]);
}

const xmp = (content: string) => ascii(`<x:xmpmeta><rdf:Description ${content}</x:xmpmeta>`);

/** Photoshop's resource of IPTC data sets, after another resource. */
function iptc(sets: Record<number, string>): Uint8Array {
  const written = Object.entries(sets).map(([number, text]) =>
    concat([Uint8Array.of(0x1c, 2, Number(number)), uint16(text.length), ascii(text)]),
  );
  const resource = (id: number, data: Uint8Array) =>
    concat([
      ascii('8BIM'),
      uint16(id),
      uint16(0),
      uint32(data.length),
      data,
      new Uint8Array(data.length % 2),
    ]);
  return concat([
    ascii('Photoshop 3.0\0'),
    resource(0x03ed, ascii('abc')),
    resource(0x0404, concat(written)),
  ]);
}

const DATED = { [ORIGINAL]: '2023:08:14 09:15:00' };
const BARE = tiff(DATED);
const PREFIXED = concat([ascii(EXIF), BARE]);
const item = (offset: number, block: Uint8Array) => concat([uint32(offset), block]);

describe('the capture date', () => {
  it.each([
    ['JPEG, with the prefix', jpegWith(PREFIXED)],
    ['JPEG, without it', jpegWith(BARE)],
    ['JPEG, little-endian', jpegWith(concat([ascii(EXIF), tiff(DATED, 'II')]))],
    ['JPEG, after an XMP segment', jpeg([0xe1, concat([ascii(XMP), xmp('/>')])], [0xe1, PREFIXED])],
    ['JPEG, in the first directory', jpegWith(concat([ascii(EXIF), tiff(DATED, 'II', 'first')]))],
    ['PNG', png(['IHDR', new Uint8Array(13)], ['eXIf', BARE], ['IDAT', new Uint8Array(3)])],
    ['PNG, with the prefix, after the pixels', png(['IDAT', new Uint8Array(3)], ['eXIf', PREFIXED])],
    ['WebP', webp(['VP8X', new Uint8Array(10)], ['VP8 ', new Uint8Array(3)], ['EXIF', BARE])],
    ['WebP, with the prefix', webp(['VP8 ', new Uint8Array(4)], ['EXIF', PREFIXED])],
    ['HEIC, with the prefix', heif(item(6, PREFIXED))],
    ['HEIC, without it', heif(item(0, BARE))],
    ['HEIC, with a prefix that it does not announce', heif(item(0, PREFIXED))],
    ['HEIC, without the length', heif(BARE)],
    ['HEIC, in idat', heif(item(6, PREFIXED), { location: 'idat' })],
    ['AVIF, without the prefix', heif(item(0, BARE), { brand: 'avif' })],
    ['AVIF, with it', heif(item(6, PREFIXED), { brand: 'mif1' })],
  ])('is read from the Exif block of a %s', (_, photo) => {
    expect(readCaptureDate(photo)).toBe('2023-08-14T09:15');
  });

  it.each([
    ['zeros', '0000:00:00 00:00:00'],
    ['blanks', '    :  :     :  :  '],
    ['a day that does not exist', '2007:02:30 10:00:00'],
    ['nothing', ''],
  ])('is the digitized date if the original is %s', (_, original) => {
    expect(readCaptureDate(jpegOf({ [ORIGINAL]: original, [DIGITIZED]: '2007:02:19 10:11:12' }))).toBe(
      '2007-02-19T10:11',
    );
  });

  it.each([
    ['exif:DateTimeOriginal="2012-12-22T10:37:28+02:00"/>', '2012-12-22T10:37'],
    ['><exif:DateTimeOriginal>2012-12-22T10:37</exif:DateTimeOriginal>', '2012-12-22T10:37'],
    ["xmp:CreateDate='2015-01-01T00:00:00' photoshop:DateCreated='2012-12-22'/>", '2012-12-22'],
    ['xmp:CreateDate="2012-12-22T10:37:28"/>', '2012-12-22T10:37'],
    ['exif:DateTimeOriginal="2012" exif:DateTimeDigitized="2012-12-22"/>', '2012-12-22'],
    ['xmp:ModifyDate="2012-12-22T10:37:28" xmp:MetadataDate="2012-12-22T10:37:28"/>', null],
  ])('is read from XMP in every format: %s', (content, date) => {
    const packet = xmp(content);
    const inPng = concat([ascii('XML:com.adobe.xmp\0\0\0\0\0'), packet]);
    const photos = [
      jpegWith(concat([ascii(XMP), packet])),
      png(['iTXt', inPng]),
      webp(['XMP ', packet]),
      heif(packet, { type: 'mime\0application/rdf+xml\0' }),
    ];
    expect(photos.map(readCaptureDate)).toEqual(photos.map(() => date));
  });

  it.each([
    [{ 55: '20121222', 60: '103728+0200' }, '2012-12-22T10:37'],
    [{ 55: '20121222' }, '2012-12-22'],
    [{ 55: '20120000', 62: '20121222', 63: '103728' }, '2012-12-22T10:37'],
    [{ 5: 'The title', 55: '20121222', 60: '243728' }, '2012-12-22'],
    [{ 30: '20121222' }, null],
  ])('is read from IPTC: %j', (sets, date) => {
    expect(readCaptureDate(jpeg([0xed, iptc(sets)]))).toBe(date);
  });

  it('is the original of any kind before a digitized one, and EXIF before XMP', () => {
    const exif = (tags: Record<number, string>): [number, Uint8Array] => [
      0xe1,
      concat([ascii(EXIF), tiff(tags)]),
    ];
    const original = (day: string): [number, Uint8Array] => [
      0xe1,
      concat([ascii(XMP), xmp(`exif:DateTimeOriginal="${day}"/>`)]),
    ];
    const scan = { [DIGITIZED]: '2015:01:01 10:00:00' };
    expect(readCaptureDate(jpeg(exif(scan), original('1965-07-04')))).toBe('1965-07-04');
    expect(readCaptureDate(jpeg(original('1965-07-04'), exif(DATED)))).toBe('2023-08-14T09:15');
  });

  it('is never the time of the last edit', () => {
    expect(readCaptureDate(jpegOf({ [DATE_TIME]: '2023:08:14 09:15:00' }))).toBeNull();
    expect(
      readCaptureDate(
        jpegWith(concat([ascii(EXIF), tiff({ [DATE_TIME]: '2023:08:14 09:15:00' }, 'MM', 'first')])),
      ),
    ).toBeNull();
  });

  it('is null for a file that ends before or within it, and for one that repeats its extents', () => {
    for (const photo of [
      jpegWith(PREFIXED),
      png(['eXIf', BARE]),
      webp(['EXIF', BARE]),
      heif(item(6, PREFIXED)),
      jpeg([0xed, iptc({ 55: '20230814', 60: '091500' })]),
      jpegWith(concat([ascii(XMP), xmp('exif:DateTimeOriginal="2023-08-14T09:15"/>')])),
    ]) {
      for (let length = 0; length < photo.length; length += 1)
        expect([null, '2023-08-14', '2023-08-14T09:15']).toContain(
          readCaptureDate(photo.subarray(0, length)),
        );
    }
    const extents = Array.from({ length: 65_535 }, () => new Uint8Array(8));
    const itemLocation = [uint16(7), uint16(0), uint16(65_535), ...extents];
    const iloc = box('iloc', uint32(0), uint16(0x4400), uint16(1), ...itemLocation);
    const infe = box('infe', uint32(2 << 24), uint16(7), uint16(0), ascii('Exif'));
    const meta = box('meta', uint32(0), box('iinf', uint32(0), uint16(1), infe), iloc);
    const file = concat([box('ftyp', ascii('heic')), meta]);
    expect(readCaptureDate(file)).toBeNull();
  });
});
