import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';

const ROOT = 'Takeout/Google Photos';
const SUFFIX = 'supplemental-metadata';
const EDITED = [
  'edited',
  'bearbeitet',
  'modifié',
  'editado',
  'modificato',
  'bewerkt',
  'edytowane',
  '編集済み',
];
const FIRST_DAY = Date.UTC(2019, 5, 1, 12) / 1000;
const DAY_SECONDS = 24 * 60 * 60;

export interface TakeoutPhoto {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** As its sidecar says. */
  caption: string;
  /** `2019-06-01` */
  day: string;
}

interface Takeout {
  parts: Blob[];
  /** Each once, without those in the trash and a partner's. */
  photos: TakeoutPhoto[];
}

/** Bytes, or JSON. */
type Content = Uint8Array<ArrayBuffer> | object;

/**
 * As Google makes it, by what is known of it: in two parts, the second as Zip64, with sidecars in the other part than
 * their photos, names with numbers on either side, cut suffixes, edited photos, albums that repeat photos, people, the
 * trash and a partner's photos.
 * @param makePhoto other bytes each time
 */
export async function makeTakeout(makePhoto: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Takeout> {
  const contents = [new Map<string, Content>(), new Map<string, Content>()] as const;
  const photos: TakeoutPhoto[] = [];
  let files = 0;
  const add = (path: string, content: Content) => contents[files++ % 2 === 0 ? 0 : 1].set(path, content);
  const sidecarOf = (caption: string, more: object) => {
    const timestamp = FIRST_DAY + photos.length * DAY_SECONDS;
    const day = new Date(timestamp * 1000).toISOString().slice(0, 10);
    return {
      day,
      json: {
        title: caption,
        description: caption,
        photoTakenTime: { timestamp: String(timestamp) },
        ...more,
      },
    };
  };
  /** Of a photo, and of the one that it was edited from. */
  const addPhoto = async (
    name: string,
    sidecarName: string,
    { folder = 'Photos from 2019', edited = '', more = {} } = {},
  ) => {
    const sidecar = `${ROOT}/${folder}/${sidecarName}.json`;
    const { day, json } = sidecarOf(name, more);
    for (const each of [name, edited].filter((file) => file !== '')) {
      const photo = { path: `${ROOT}/${folder}/${each}`, bytes: await makePhoto(), caption: name, day };
      add(photo.path, photo.bytes);
      photos.push(photo);
    }
    add(sidecar, json);
    // So that photos and their sidecars lie in different parts.
    files += edited === '' ? 0 : 1;
  };

  for (let length = 0; length <= SUFFIX.length; length += 3) {
    const name = `IMG_20190601_${100_000 + length}.jpg`;
    await addPhoto(name, length === 0 ? name : `${name}.${SUFFIX.slice(0, length)}`);
  }
  await addPhoto('IMG_7.jpg', `IMG_7.jpg.${SUFFIX}`);
  await addPhoto('IMG_7(1).jpg', `IMG_7.jpg.${SUFFIX}(1)`);
  await addPhoto('IMG_8(1).jpg', 'IMG_8(1).jpg');
  for (const [index, word] of EDITED.entries())
    await addPhoto(`PXL_${index}.jpg`, `PXL_${index}.jpg.${SUFFIX}`, { edited: `PXL_${index}-${word}.jpg` });
  await addPhoto('Mia.jpg', 'Mia.jpg', { more: { people: [{ name: 'Mia' }], favorited: true } });

  const [first] = photos;
  add(`${ROOT}/Rex/metadata.json`, { title: 'Rex' });
  add(`${ROOT}/Rex/IMG_1.jpg`, first!.bytes);
  add(`${ROOT}/Rex/IMG_1.jpg.json`, sidecarOf(first!.caption, {}).json);
  for (const [name, more] of [
    ['deleted.jpg', { trashed: true }],
    ['partner.jpg', { googlePhotosOrigin: { fromPartnerSharing: {} } }],
  ] as const) {
    add(`${ROOT}/Photos from 2019/${name}`, await makePhoto());
    add(`${ROOT}/Photos from 2019/${name}.json`, sidecarOf(name, more).json);
  }
  const parts = contents.map((content, index) => zip(content, { zip64: index === 1 }));
  return { parts: await Promise.all(parts), photos };
}

async function zip(content: ReadonlyMap<string, Content>, options: { zip64: boolean }): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter('application/zip'), { ...options, useWebWorkers: false });
  for (const [path, each] of content)
    await writer.add(
      path,
      each instanceof Uint8Array ? new Uint8ArrayReader(each) : new TextReader(JSON.stringify(each)),
    );
  return writer.close();
}
