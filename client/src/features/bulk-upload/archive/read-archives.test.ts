import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, it, vi } from 'vitest';
import { makeTakeout } from '../../../testing/takeout-zips.ts';
import { readArchives } from './read-archives.ts';

const PETS = [
  { id: 'rex', name: 'Réx' },
  { id: 'mia', name: 'Mia' },
];
const TIME_ZONE = 'America/New_York';

/** A zip as Google or Apple makes it. */
async function makeZip(files: Record<string, string | object>, options: object = {}): Promise<File> {
  const writer = new ZipWriter(new BlobWriter('application/zip'), options);
  for (const [path, content] of Object.entries(files))
    await writer.add(path, new TextReader(typeof content === 'string' ? content : JSON.stringify(content)));
  return new File([await writer.close()], 'takeout-001.zip');
}

/** Of a Zip64. */
function endRecords(directoryBytes: number, entries: number): Uint8Array<ArrayBuffer> {
  const records = new DataView(new ArrayBuffer(56 + 20 + 22));
  records.setUint32(0, 0x06064b50, true);
  records.setBigUint64(4, 44n, true);
  for (const at of [24, 32]) records.setBigUint64(at, BigInt(entries), true);
  records.setBigUint64(40, BigInt(directoryBytes), true);
  records.setUint32(56, 0x07064b50, true);
  records.setBigUint64(64, BigInt(directoryBytes), true);
  records.setUint32(72, 1, true);
  records.setUint32(76, 0x06054b50, true);
  for (const at of [84, 86]) records.setUint16(at, 0xffff, true);
  for (const at of [88, 92]) records.setUint32(at, 0xffffffff, true);
  return new Uint8Array(records.buffer);
}

const read = (...zips: File[]) => readArchives(zips, { pets: PETS, timeZone: TIME_ZONE });
const taken = (timestamp: string, more: object = {}) => ({
  title: '',
  photoTakenTime: { timestamp },
  ...more,
});
const found = async (...zips: File[]) =>
  (await read(...zips)).photos.map(({ file: { path, details }, ...photo }) => ({
    path,
    ...details,
    ...photo,
  }));

describe('a Google Takeout', () => {
  it('gives date, caption, like, albums and pet of each photo, from sidecars in other parts', async () => {
    const year = 'Takeout/Google Photos/Photos from 2019';
    const album = 'Takeout/Google Photos/Rex';
    const photos = await makeZip({
      [`${year}/IMG_1.jpg`]: 'one',
      [`${year}/IMG_1-edited.jpg`]: 'one edited',
      [`${year}/IMG_2.HEIC`]: 'two',
      [`${album}/IMG_1.jpg`]: 'one',
    });
    const sidecars = await makeZip({
      [`${year}/IMG_1.jpg.supplemental-metadata.json`]: taken('1577836800', {
        description: 'First snow',
        favorited: true,
      }),
      [`${year}/IMG_2.HEIC.supplemental-me.json`]: taken('0', { people: [{ name: 'MIA' }] }),
      [`${album}/metadata.json`]: { title: 'rex' },
      [`${album}/IMG_1.jpg.supplemental-metadata.json`]: taken('1577836800'),
    });
    const date = { source: 'takeout', date: '2019-12-31T19:00' };
    expect(await found(photos, sidecars)).toEqual([
      {
        path: `${year}/IMG_1.jpg`,
        caption: 'First snow',
        isLiked: true,
        sidecarDate: date,
        petId: 'rex',
        albums: ['rex'],
        people: [],
        year: '2019',
      },
      {
        path: `${year}/IMG_1-edited.jpg`,
        caption: 'First snow',
        isLiked: true,
        sidecarDate: date,
        albums: [],
        people: [],
        year: '2019',
      },
      { path: `${year}/IMG_2.HEIC`, petId: 'mia', albums: [], people: ['MIA'], year: null },
    ]);
  });

  it('leaves out what was deleted, a partner’s photos and films, and counts them', async () => {
    const zip = await makeZip({
      'T/a.jpg': 'a',
      'T/a.jpg.json': taken('1', { trashed: true }),
      'T/b.jpg': 'b',
      'T/b.jpg.json': taken('1', { googlePhotosOrigin: { fromPartnerSharing: {} } }),
      'T/c.mp4': 'c',
      'T/c.mp4.json': taken('1'),
      'T/d.jpg': 'd',
      'T/e.pdf': 'e',
      'T/empty.jpg': '',
    });
    const { photos, skipped, faults } = await read(zip);
    expect(faults).toEqual([{ name: 'T/empty.jpg', reason: 'This file is empty.' }]);
    expect(photos.map(({ file }) => file.path)).toEqual(['T/d.jpg']);
    expect(skipped).toEqual({ trashed: 1, hidden: 0, ofPartner: 1, videos: 1, others: 1 });
  });

  it('in two parts, one as Zip64, gives each photo what its own sidecar says', async () => {
    let made = 0;
    const { parts, photos } = await makeTakeout(() =>
      Promise.resolve(new Uint8Array([255, 216, 255, made++])),
    );
    const archive = await read(...parts.map((part, index) => new File([part], `takeout-00${index + 1}.zip`)));
    expect(archive.faults).toEqual([]);
    expect(archive.skipped).toMatchObject({ trashed: 1, ofPartner: 1 });
    const expected = photos.map(({ path, bytes, caption, day }) => ({
      path,
      bytes: [...bytes],
      caption,
      day,
    }));
    const actual = archive.photos.map(async ({ file }) => ({
      path: file.path,
      bytes: [...new Uint8Array(await (await file.read()).arrayBuffer())],
      caption: file.details?.caption,
      day: file.details?.sidecarDate?.date.slice(0, 10),
    }));
    const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
    expect((await Promise.all(actual)).sort(byPath)).toEqual(expected.sort(byPath));
    const withPet = archive.photos.filter(({ file }) => file.details?.petId);
    expect(
      withPet.map(({ file: { details }, albums, people }) => ({ ...details, albums, people })),
    ).toMatchObject([
      { petId: 'rex', albums: ['Rex'] },
      { petId: 'mia', people: ['Mia'], isLiked: true },
    ]);
  });

  it.each([
    ['Photos from 2019', null],
    ['Fotos von 2019', null],
    ['Rex 2019', 'Rex 2019'],
    ['2019', null],
  ])('%s is the album %s', async (folder, album) => {
    const zip = await makeZip({ [`T/${folder}/a.jpg.json`]: taken('1'), [`T/${folder}/a.jpg`]: 'a' });
    const { photos } = await read(zip);
    expect(photos[0]?.albums).toEqual(album === null ? [] : [album]);
  });

  it('reads a photo when it is asked for', async () => {
    const { photos } = await read(await makeZip({ 'a.jpg': 'the bytes' }));
    const bytes = await photos[0]?.file.read();
    expect([await bytes?.text(), bytes?.type]).toEqual(['the bytes', 'image/jpeg']);
  });
});

it('an iCloud export gives dates, likes and albums, and leaves out what is hidden or deleted', async () => {
  const details = [
    'imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate',
    'IMG_1.JPG,AbC=,yes,no,no,"Friday January 31,2020 8:30 PM GMT",4,"Friday January 31,2020 9:00 PM GMT"',
    'IMG_2.JPG,AbD=,no,yes,no,"Friday January 31,2020 12:05 AM GMT",4,',
    'IMG_3.JPG,AbE=,no,no,yes,,0,',
    'IMG_4.JPG,AbF=,no,no,no,nonsense,0,',
  ].join('\r\n');
  const zip = await makeZip({
    'Photos/Photo Details.csv': details,
    'Photos/IMG_1.JPG': '1',
    'Photos/IMG_2.JPG': '2',
    'Photos/IMG_3.JPG': '3',
    'Photos/IMG_4.JPG': '4',
    'Albums/Mia.csv': 'Images\r\nIMG_4.JPG\r\nIMG_9.JPG\r\n',
    'Other/IMG_3.JPG': 'not deleted',
    'Other/IMG_9.JPG': 'of no album',
  });
  const archive = await read(zip);
  expect(archive.skipped).toMatchObject({ hidden: 1, trashed: 1 });
  expect(
    archive.photos.map(({ file: { path, details }, ...photo }) => ({ path, ...details, ...photo })),
  ).toEqual([
    {
      path: 'Photos/IMG_1.JPG',
      isLiked: true,
      sidecarDate: { source: 'icloud', date: '2020-01-31T15:30' },
      albums: [],
      people: [],
      year: '2020',
    },
    { path: 'Photos/IMG_4.JPG', petId: 'mia', albums: ['Mia'], people: [], year: null },
    { path: 'Other/IMG_3.JPG', albums: [], people: [], year: null },
    { path: 'Other/IMG_9.JPG', albums: [], people: [], year: null },
  ]);
});

describe('a bad zip', () => {
  it('is named with its reason, and the others come in', async () => {
    const good = await makeZip({ 'a.jpg': 'a' });
    const encrypted = await makeZip({ 'a.jpg': 'a' }, { password: 'secret', zipCrypto: true });
    const cut = new File([(await good.arrayBuffer()).slice(0, -30)], 'cut.zip');
    const { photos, faults } = await read(good, encrypted, new File(['no zip'], 'text.zip'), cut);
    expect(photos).toHaveLength(1);
    expect(faults.map(({ name, reason }) => [name, reason.slice(0, 22)])).toEqual([
      ['takeout-001.zip', 'It needs a password. P'],
      ['text.zip', 'It is not a zip, or it'],
      ['cut.zip', 'It is not a zip, or it'],
    ]);
  });

  it('that lists a million files is rejected before its list is read', async () => {
    const directory = new Uint8Array(1_000_001);
    const zip = new File([directory, endRecords(directory.length, 1_000_000)], 'many.zip');
    const whole = vi.spyOn(Blob.prototype, 'slice');
    const { photos, faults } = await read(zip);
    expect(photos).toEqual([]);
    expect(faults).toEqual([
      { name: 'many.zip', reason: expect.stringContaining('too many files') as string },
    ]);
    for (const [start = 0, end = 0] of whole.mock.calls) expect(end - start).toBeLessThan(100_000);
    whole.mockRestore();
  });

  it('with a damaged photo names it when it is read', async () => {
    const zip = await makeZip({ 'a.jpg': 'the bytes' }, { level: 0 });
    const bytes = new Uint8Array(await zip.arrayBuffer());
    bytes[new TextDecoder('latin1').decode(bytes).indexOf('the bytes')]! ^= 1;
    const { photos } = await read(new File([bytes], 'damaged.zip'));
    await expect(photos[0]?.file.read()).rejects.toThrow('damaged');
  });

  it('does not lead out of its folder, and is not larger than it says', async () => {
    const bomb = await makeZip({ 'bomb.jpg': 'x'.repeat(100_000), 'b/../../a.jpg': 'a', '/c.jpg': 'c' });
    const bytes = new Uint8Array(await bomb.arrayBuffer());
    const view = new DataView(bytes.buffer);
    // The uncompressed size in the central directory.
    for (let at = 0; at < bytes.length - 4; at++)
      if (view.getUint32(at, true) === 0x02014b50 && view.getUint16(at + 28, true) === 8)
        view.setUint32(at + 24, 10, true);
    const { photos, faults } = await read(new File([bytes], 'bomb.zip'));
    expect(faults.map(({ name }) => name)).toEqual(['b/../../a.jpg', '/c.jpg']);
    expect(photos.map(({ file }) => file.path)).toEqual(['bomb.jpg']);
    await expect(photos[0]?.file.read()).rejects.toThrow();
  });
});

it('bytes of an entry are the photo’s own', async () => {
  const writer = new ZipWriter(new BlobWriter('application/zip'));
  await writer.add('a.jpg', new Uint8ArrayReader(new Uint8Array([255, 216, 255, 0])));
  const { photos } = await read(new File([await writer.close()], 'a.zip'));
  expect([...new Uint8Array((await (await photos[0]?.file.read())?.arrayBuffer()) ?? [])]).toEqual([
    255, 216, 255, 0,
  ]);
});
