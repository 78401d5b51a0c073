import { toMemoryDate } from '#shared/dates/memory-date';
import type { Pet } from '#shared/album/pet';
import { findFault, isIgnored, PHOTO, type ChosenFile, type PhotoDetails } from '../queue/queued-photo.ts';
import { pairNames } from './pair-names.ts';
import { listZip, ZipError, type ZipEntry } from './read-zip.ts';
import {
  parseICloudAlbum,
  parseICloudDetails,
  parseJson,
  parseTakeoutSidecar,
  type Sidecar,
} from './read-sidecars.ts';

export interface ArchivePhoto {
  file: ChosenFile;
  albums: string[];
  people: string[];
  /** Null if nothing beside the photo tells it. */
  year: string | null;
}

export interface Archive {
  photos: ArchivePhoto[];
  skipped: { trashed: number; hidden: number; ofPartner: number; videos: number; others: number };
  /** Zips that cannot be read, and files in them that are rejected. */
  faults: { name: string; reason: string }[];
}

interface Entry extends ZipEntry {
  /** The zip's index. */
  zip: number;
  folder: string;
  name: string;
}

/** A folder that Google makes for each year, in the person's language: it is no album, but "Rex 2019" is. */
const YEAR_FOLDER =
  /^(photos?|fotos?|foto['’]?s|zdjęcia|bilder|billeder|фото\S*)\s+(\S+\s+)?(19|20)\d\d$|^(19|20)\d\d(\s*年.*)?$/i;
const SIDECAR_MAX_BYTES = 1_000_000;
const VIDEO = /\.(mp4|m4v|mov|avi|mkv|webm|3gp|mts|m2ts|wmv|mp)$/i;

/**
 * The photos of Google Takeouts, iCloud exports or any other zips, with what they tell of each. All parts at once: a sidecar may be
 * in another part than its photo.
 */
export async function readArchives(
  zips: readonly File[],
  { pets, timeZone }: { pets: readonly Pick<Pet, 'id' | 'name'>[]; timeZone: string },
): Promise<Archive> {
  const archive: Archive = {
    photos: [],
    skipped: { trashed: 0, hidden: 0, ofPartner: 0, videos: 0, others: 0 },
    faults: [],
  };
  const entries: Entry[] = [];
  for (const [index, zip] of zips.entries()) {
    try {
      const onFault = (name: string, reason: string) => void archive.faults.push({ name, reason });
      for (const entry of await listZip(zip, onFault)) {
        const at = entry.path.lastIndexOf('/');
        entries.push({
          ...entry,
          zip: index,
          folder: entry.path.slice(0, Math.max(at, 0)),
          name: entry.path.slice(at + 1),
        });
      }
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      archive.faults.push({ name: zip.name, reason: error.message });
    }
  }
  const { sidecars, albums } = await readICloud(entries);
  const photosByChecksum = new Map<string, ArchivePhoto>();
  for (const folder of groupByFolder(entries)) {
    const photos = folder.filter(isPhoto);
    const jsons = folder.filter(({ name, size }) => /\.json$/i.test(name) && size <= SIDECAR_MAX_BYTES);
    const album = await albumName(folder, jsons);
    const pairs = pairNames(
      photos.map(({ name }) => name),
      jsons.map(({ name }) => name),
    );
    const jsonByName = new Map(jsons.map((json) => [json.name, json]));
    for (const photo of photos) {
      const json = jsonByName.get(pairs.get(photo.name) ?? '');
      const sidecar = json ? await readTakeoutSidecar(json) : (sidecars.get(pathOf(photo)) ?? null);
      if (sidecar?.isTrashed) archive.skipped.trashed++;
      else if (sidecar?.isHidden) archive.skipped.hidden++;
      else if (sidecar?.isOfPartner) archive.skipped.ofPartner++;
      else addPhoto(photo, sidecar, album);
    }
    for (const entry of folder) {
      const fault = findFault({ ...entry, type: '' });
      if (VIDEO.test(entry.name)) archive.skipped.videos++;
      else if (fault === null || isIgnored(entry) || /\.(json|csv|html)$/i.test(entry.name)) continue;
      else if (PHOTO.test(entry.name)) archive.faults.push({ name: entry.path, reason: fault });
      else archive.skipped.others++;
    }
  }
  return archive;

  /** Google repeats a photo in the folder of each of its albums. */
  function addPhoto(entry: Entry, sidecar: Sidecar | null, album: string | null): void {
    const inAlbums = [
      ...(album === null ? [] : [album]),
      ...(sidecars.has(pathOf(entry)) ? (albums.get(entry.name) ?? []) : []),
    ];
    const same = photosByChecksum.get(entry.checksum);
    const photo: ArchivePhoto = same ?? {
      file: toChosenFile(entry),
      albums: [],
      people: [],
      year: null,
    };
    photo.albums = [...new Set([...photo.albums, ...inAlbums])];
    photo.people = [...new Set([...photo.people, ...(sidecar?.people ?? [])])];
    photo.year ??= sidecar?.takenAt ? toMemoryDate(sidecar.takenAt, timeZone).slice(0, 4) : null;
    photo.file.details = { ...toDetails(sidecar, photo, { pets, timeZone }), ...photo.file.details };
    if (same) return;
    photosByChecksum.set(entry.checksum, photo);
    archive.photos.push(photo);
  }
}

function toChosenFile({ path, size, lastModified, read }: Entry): ChosenFile {
  const type = /\.(jpe?g|png|webp|gif|avif|heic|heif)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const mime = type === '' ? '' : `image/${type === 'jpg' ? 'jpeg' : type}`;
  return { path, size, lastModified, type: mime, read: () => read(mime) };
}

function toDetails(
  sidecar: Sidecar | null,
  { albums, people }: ArchivePhoto,
  { pets, timeZone }: { pets: readonly Pick<Pet, 'id' | 'name'>[]; timeZone: string },
): PhotoDetails {
  const names = new Set([...albums, ...people].map(comparable));
  const pet = pets.find(({ name }) => names.has(comparable(name)));
  return {
    ...(sidecar?.description && { caption: sidecar.description }),
    ...(sidecar?.isFavorite && { isLiked: true }),
    ...(pet && { petId: pet.id }),
    ...(sidecar?.takenAt && {
      sidecarDate: { source: sidecar.source, date: toMemoryDate(sidecar.takenAt, timeZone) },
    }),
  };
}

/** Without case and accents. */
function comparable(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}

function isPhoto(entry: Entry): boolean {
  return findFault({ ...entry, type: '' }) === null && !isIgnored(entry);
}

function groupByFolder(entries: Entry[]): Entry[][] {
  const folders = new Map<string, Entry[]>();
  for (const entry of entries) {
    const folder = folders.get(entry.folder);
    if (folder) folder.push(entry);
    else folders.set(entry.folder, [entry]);
  }
  return [...folders.values()];
}

/** The title in Google's `metadata.json`, whose own name depends on the language, or the folder's name. Null for folders of years. */
async function albumName(folder: Entry[], jsons: Entry[]): Promise<string | null> {
  const [{ folder: path } = { folder: '' }] = folder;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (jsons.length === 0 || YEAR_FOLDER.test(name)) return null;
  for (const json of jsons.filter(({ name }) => /^(metadat|metadaten|métadonn|metadatos)/i.test(name))) {
    const text = await readText(json);
    const title = /"title"\s*:\s*("(?:[^"\\]|\\.)+")/.exec(text)?.[1];
    const parsed = title && parseTakeoutSidecar(text) === null ? parseJson(title) : null;
    if (typeof parsed === 'string') return parsed;
  }
  return name === '' ? null : name;
}

async function readTakeoutSidecar(json: Entry): Promise<Sidecar | null> {
  return parseTakeoutSidecar(await readText(json));
}

/** Cameras repeat names: those of another folder are other photos. */
function pathOf({ zip, folder, name }: Pick<Entry, 'zip' | 'folder' | 'name'>): string {
  return `${zip} ${folder}/${name.normalize('NFC').toLowerCase()}`;
}

/** Sidecars by the photo's place; albums by its name, which stands for one photo only if no other has it. */
async function readICloud(
  entries: Entry[],
): Promise<{ sidecars: Map<string, Sidecar>; albums: Map<string, string[]> }> {
  const sidecars = new Map<string, Sidecar>();
  const albums = new Map<string, string[]>();
  const csvs = entries.filter(({ name }) => /\.csv$/i.test(name));
  for (const csv of csvs.filter(({ name }) => /^photo details/i.test(name)))
    for (const [name, sidecar] of parseICloudDetails(await readText(csv)))
      sidecars.set(pathOf({ ...csv, name }), sidecar);
  const counts = new Map<string, number>();
  for (const entry of entries)
    if (sidecars.has(pathOf(entry))) counts.set(entry.name, (counts.get(entry.name) ?? 0) + 1);
  for (const csv of csvs.filter(({ folder }) => /(^|\/)albums$/i.test(folder)))
    for (const name of parseICloudAlbum(await readText(csv)))
      if (counts.get(name) === 1)
        albums.set(name, [...(albums.get(name) ?? []), csv.name.replace(/\.csv$/i, '')]);
  return { sidecars, albums };
}

/** Empty if it cannot be read: the photo comes in all the same. */
async function readText(entry: Entry): Promise<string> {
  try {
    return await (await entry.read()).text();
  } catch {
    return '';
  }
}
