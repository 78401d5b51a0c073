import { CARICATURE_STYLE_NAMES } from '#shared/album/caricature';
import { toCalendarDay } from '#shared/dates/calendar-date';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentMemoryDate } from '../memories/memory-presenter.ts';
import { listAllowedSenders } from '../inbound-email/sender/allowed-sender-queries.ts';
import { findUser, userTimeZone, type UserRow } from '../accounts/users/user-queries.ts';
import type { AlbumSpool } from './album-spool.ts';
import {
  listCaricaturesToExport,
  listContactsToExport,
  listMemoriesToExport,
  listPetsToExport,
  readSnapshot,
  type ImageOfExport,
} from './export-data-queries.ts';
import { createPathNames, toFolderName } from './export-file-names.ts';
import type { ExportData, ExportedFile } from './export-format.ts';

export type Album = {
  user: ExportData['user'];
  ownerName: string;
  petNames: Map<string, string>;
  /** Of the photos, in bytes. */
  imageBytes: number;
};

const NO_PET = 'Without a pet';
const NO_NAME = 'Pet';
const TRASH_FOLDER = 'recently deleted';

/** Writes all that the account holds into the spool. Null if it was deleted. */
export function readAlbum(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  spool: AlbumSpool,
): Promise<Album | null> {
  return readSnapshot(db, async (tx) => {
    const user = await findUser(tx, ownerId);
    if (!user) return null;
    const album: Album = {
      user: await toExportedUser(tx, user),
      ownerName: user.firstName ?? user.username,
      petNames: new Map(),
      imageBytes: 0,
    };
    await spoolLists(tx, user, album, spool);
    return album;
  });
}

/** Pets first, since the other files have their names. */
async function spoolLists(tx: Tx, user: UserRow, album: Album, spool: AlbumSpool): Promise<void> {
  const toPath = createPathNames();
  const petFolder = (petId: string | null) =>
    petId === null ? NO_PET : toFolderName(album.petNames.get(petId) ?? null, NO_NAME);
  const toFile = (image: ImageOfExport, name: Omit<Parameters<typeof toPath>[0], 'contentType'>) => {
    album.imageBytes += image.byteSize;
    return toExportedFile(image, toPath({ ...name, contentType: image.contentType }));
  };

  for await (const { image, original, ...row } of listPetsToExport(tx, user.id)) {
    album.petNames.set(row.id, row.name);
    const picture = image && toFile(image, { folder: 'pets', start: '', text: row.name, id: row.id });
    const pictureOriginal =
      original && toFile(original, { folder: 'pets', start: 'original', text: row.name, id: row.id });
    const pictureCrop = original && row.profileCrop;
    const { id, name, species, breed, age, weight, birthdayOrGotchaDay, description } = row;
    const createdAt = row.createdAt.toISOString();
    const details = { breed, age, weight, birthdayOrGotchaDay, description, createdAt };
    const value = { id, name, species, ...details, picture, pictureOriginal, pictureCrop };
    await spool.write({ list: 'pets', value, image, original });
  }
  for await (const { image, ...row } of listMemoriesToExport(tx, user.id)) {
    const { id, petId, caption, tags, isLiked, dateSource, addedDay, source } = row;
    const day = row.memoryDay ?? addedDay;
    const top = row.deletedAt ? TRASH_FOLDER : 'photos';
    const folder = `${top}/${petFolder(petId)}/${day.slice(0, 4)}`;
    const file = toFile(image, { folder, start: day, text: caption, id });
    const memoryDate = presentMemoryDate(row.memoryDay, row.memoryTime);
    const deletedAt = row.deletedAt?.toISOString() ?? null;
    const value = { id, petId, caption, tags, isLiked, memoryDate, dateSource, addedDay, source };
    const isDismissed = row.dismissedAt !== null;
    const createdAt = row.createdAt.toISOString();
    await spool.write({
      list: 'memories',
      value: { ...value, isDismissed, createdAt, deletedAt, file },
      image,
    });
  }
  for await (const row of listContactsToExport(tx, user.id)) {
    const { id, name, email, relationship, isActive, frequency, mutedPetIds } = row;
    const unsubscribedAt = row.unsubscribedAt?.toISOString() ?? null;
    const value = { id, name, email, relationship, isActive, frequency, mutedPetIds, unsubscribedAt };
    const createdAt = row.createdAt.toISOString();
    await spool.write({ list: 'contacts', value: { ...value, createdAt }, image: null });
  }
  for await (const { image, ...row } of listCaricaturesToExport(tx, user.id)) {
    const { id, petId, memoryId, savedMemoryId, style, generator } = row;
    const folder = `caricatures/${petFolder(petId)}`;
    const start = toCalendarDay(row.createdAt, userTimeZone(user));
    const file = toFile(image, { folder, start, text: CARICATURE_STYLE_NAMES[style], id });
    const value = { id, petId, memoryId, savedMemoryId, style, artist: generator };
    const createdAt = row.createdAt.toISOString();
    await spool.write({ list: 'caricatures', value: { ...value, createdAt, file }, image });
  }
}

async function toExportedUser(tx: Tx, user: UserRow): Promise<ExportData['user']> {
  const { username, firstName, lastName, email, phoneNumber, timeZone } = user;
  return {
    username,
    firstName,
    lastName,
    email,
    phoneNumber,
    timeZone,
    allowedSenders: await listAllowedSenders(tx, user.id),
    createdAt: user.createdAt.toISOString(),
  };
}

function toExportedFile(
  { contentType, byteSize, sha256, width, height }: ImageOfExport,
  path: string,
): ExportedFile {
  return { path, contentType, byteSize, sha256, width, height };
}
