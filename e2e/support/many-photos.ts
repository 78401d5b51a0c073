import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { copyOfPhoto, makeHeavyPhoto } from '../../server/testing/photos/photos.ts';
import {
  animatedAvif,
  animatedGif,
  animatedPng,
  animatedWebp,
  datedPhoto,
  heicPhoto,
} from './photo-files.ts';

const FREE_BOX_HEADER = 8;
const PNG_HEADER_END = 33;

/** Files of all formats as on a phone, each with bytes of its own. @returns their bytes */
export async function makeManyPhotos(folder: string, count: number): Promise<Buffer[]> {
  await mkdir(folder, { recursive: true });
  const makers = await manyFormats();
  const made: Buffer[] = [];
  for (let n = 0; n < count; n++) {
    const { extension, copy } = makers[n % makers.length]!;
    const day = new Date(Date.UTC(2015, 0, 1 + n)).toISOString().slice(0, 10).replaceAll('-', '');
    const bytes = copy();
    await writeFile(
      join(folder, n % 3 === 0 ? `Rex ${n}.${extension}` : `IMG_${day}_083059.${extension}`),
      bytes,
    );
    made.push(bytes);
  }
  return made;
}

interface Format {
  extension: string;
  copy: () => Buffer;
}

/** As often as on phones: mostly JPEG. */
async function manyFormats(): Promise<Format[]> {
  const avif = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#a86' } })
    .avif()
    .toBuffer();
  const [heavy, dated, heic] = await Promise.all([
    makeHeavyPhoto(1200, 900),
    datedPhoto('2019:07:04 09:05:00'),
    heicPhoto(),
  ]);
  const jpeg = { extension: 'jpg', copy: () => copyOfPhoto(heavy) };
  return [
    jpeg,
    { extension: 'JPG', copy: () => copyOfPhoto(dated.buffer) },
    jpeg,
    await pngFormat('png', (await datedPhoto('2019:07:04 09:05:00', 'png')).buffer),
    jpeg,
    webpFormat((await datedPhoto('2019:07:04 09:05:00', 'webp')).buffer),
    jpeg,
    { extension: 'avif', copy: () => withFreeBox(avif) },
    { extension: 'HEIC', copy: () => withFreeBox(heic.buffer) },
    jpeg,
    {
      extension: 'gif',
      copy: (
        (gif) => () =>
          withGifComment(gif)
      )((await animatedGif()).buffer),
    },
    webpFormat((await animatedWebp()).buffer),
    {
      extension: 'avif',
      copy: (
        (moving) => () =>
          withFreeBox(moving)
      )((await animatedAvif()).buffer),
    },
    await pngFormat('png', (await animatedPng()).buffer),
  ];
}

/** At the end of a HEIC or AVIF; readers skip it. */
function withFreeBox(file: Buffer): Buffer {
  const text = Buffer.from(randomUUID());
  const header = Buffer.alloc(FREE_BOX_HEADER);
  header.writeUInt32BE(FREE_BOX_HEADER + text.length);
  header.write('free', 4, 'latin1');
  return Buffer.concat([file, header, text]);
}

function withGifComment(gif: Buffer): Buffer {
  const text = Buffer.from(randomUUID());
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), text, Buffer.from([0])]);
  return Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
}

function pngFormat(extension: string, png: Buffer): Promise<Format> {
  const copy = () => {
    const content = Buffer.from(`tEXtComment\0${randomUUID()}`, 'latin1');
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length - 4);
    checksum.writeUInt32BE(crc32(content));
    return Buffer.concat([
      png.subarray(0, PNG_HEADER_END),
      length,
      content,
      checksum,
      png.subarray(PNG_HEADER_END),
    ]);
  };
  return Promise.resolve({ extension, copy });
}

function webpFormat(webp: Buffer): Format {
  const copy = () => {
    const text = Buffer.from(randomUUID());
    const header = Buffer.from('NOTE\0\0\0\0', 'latin1');
    header.writeUInt32LE(text.length, 4);
    const file = Buffer.concat([webp, header, text]);
    file.writeUInt32LE(file.length - 8, 4);
    return file;
  };
  return { extension: 'webp', copy };
}
