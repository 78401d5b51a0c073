import sharp from 'sharp';
import { contentOf, readBoxes, readMetaBoxes } from '#shared/photos/heif-boxes';
import { box, uint16, uint32 } from './heif-box.ts';

const WIDTH = 80;
const HEIGHT = 60;
const UNITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const FRAMES_PER_SECOND = 10;

/** Each frame is an image of one color. As encoders write it: a still image first, then a track with all frames. */
export async function makeAvifSequence(colors: [number, number, number][]): Promise<Buffer> {
  const stills = await Promise.all(
    colors.map(([r, g, b]) =>
      sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: { r, g, b } } })
        .avif()
        .toBuffer(),
    ),
  );
  const [still = Buffer.alloc(0)] = stills;
  const frames = stills.map((each) => Buffer.from(contentOf(readBoxes(each), 'mdat')));
  const configuration = Buffer.from(
    contentOf(readBoxes(contentOf(readBoxes(contentOf(readMetaBoxes(still), 'iprp')), 'ipco')), 'av1C'),
  );
  const first = asSequence(still);
  let at = first.length + 8;
  const offsets = frames.map(({ length }) => (at += length) - length);
  return Buffer.concat([first, box('mdat', ...frames), movie(frames, offsets, configuration)]);
}

const BRANDS = ['avis', '\0\0\0\0', 'avif', 'avis', 'msf1', 'iso8', 'mif1', 'miaf'];

/** With the brands of a sequence, which move its pixels. */
function asSequence(still: Buffer): Buffer {
  const ftyp = box('ftyp', ...BRANDS.map((brand) => Buffer.from(brand)));
  const oldLength = still.readUInt32BE(0);
  const moved = Buffer.from(still);
  const address = moved.indexOf('iloc') + 16;
  moved.writeUInt32BE(moved.readUInt32BE(address) + ftyp.length - oldLength, address);
  return Buffer.concat([ftyp, moved.subarray(oldLength)]);
}

function movie(frames: Buffer[], offsets: number[], configuration: Buffer): Buffer {
  const count = frames.length;
  const rate = uint32(FRAMES_PER_SECOND, count);
  const version = (flags = 0) => uint32(flags);
  const never = uint32(0, 0);
  const samples = box(
    'stbl',
    box(
      'stsd',
      version(),
      uint32(1),
      box(
        'av01',
        Buffer.concat([uint16(0, 0, 0, 1), Buffer.alloc(16), uint16(WIDTH, HEIGHT)]),
        Buffer.concat([uint32(0x480000, 0x480000, 0), uint16(1), Buffer.alloc(32), uint16(24, 0xffff)]),
        box('av1C', configuration),
      ),
    ),
    box('stts', version(), uint32(1, count, 1)),
    // One frame a chunk.
    box('stsc', version(), uint32(1, 1, 1, 1)),
    box('stsz', version(), uint32(0, count, ...frames.map(({ length }) => length))),
    box('stco', version(), uint32(count, ...offsets)),
  );
  const media = box(
    'mdia',
    box('mdhd', version(), never, rate, uint16(0x55c4, 0)),
    box('hdlr', version(), uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
    box(
      'minf',
      box('vmhd', version(1), never),
      box('dinf', box('dref', version(), uint32(1), box('url ', version(1)))),
      samples,
    ),
  );
  const track = box(
    'trak',
    box(
      'tkhd',
      version(1),
      Buffer.concat([never, uint32(1, 0, count, 0, 0, 0, 0, ...UNITY)]),
      uint32(WIDTH * 0x10000, HEIGHT * 0x10000),
    ),
    media,
  );
  const header = Buffer.concat([never, rate, uint32(0x10000), uint16(0x100), Buffer.alloc(10)]);
  return box('moov', box('mvhd', version(), header, uint32(...UNITY), Buffer.alloc(24), uint32(2)), track);
}
