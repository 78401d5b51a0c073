import { MAX_PETS } from '#shared/album/pet';
import type { AppContext } from '../../platform/context.ts';
import type { AlbumItem } from '../exports/album-spool.ts';
import { trashCutoff } from '../memories/trash/memory-trash.ts';
import { countPets } from '../pets/pet-queries.ts';
import { hasStorageFor } from '../storage/storage-limit.ts';
import {
  findDuplicateMemory,
  findExistingCaricature,
  findExistingMemory,
  findExistingPet,
  type PossibleAlbumIds,
} from './album-item-queries.ts';
import { ImportError } from './import-error.ts';
import { isInZip, readPossibleAlbumIds, type ImportCounts, type ImportSource } from './import-state.ts';
import { getFile, getFiles } from './read-archive/read-import-data.ts';

/** Checks every file of the zip that the data names, and first whether the album has room. Changes nothing. @throws ImportError */
export async function checkImport(
  context: AppContext,
  source: ImportSource,
  onFile: () => Promise<void>,
): Promise<ImportCounts> {
  const counts = await checkSizes(context, source);
  for await (const item of source.spool.read()) {
    for (const file of getFiles(item)) {
      if (!isInZip(source, file)) continue;
      await source.zip.read(file.path, file);
      await onFile();
    }
  }
  return counts;
}

/** Without reading the files, which may be hundreds of gigabytes. @throws ImportError */
async function checkSizes(context: AppContext, source: ImportSource): Promise<ImportCounts> {
  const { db, config } = context;
  const { ownerId, zip, spool } = source;
  const counts: ImportCounts = { total: 0, done: 0, added: 0, unreadable: 0, missing: 0 };
  let newBytes = 0;
  let newPets = 0;
  const possibleAlbumIds = await readPossibleAlbumIds(spool, ownerId);
  for await (const item of spool.read()) {
    const exists = await isInAlbum(context, ownerId, item, possibleAlbumIds);
    if (item.list === 'pets' && !exists) newPets++;
    const file = getFile(item);
    if (!file) continue;
    if (!isInZip(source, file)) {
      counts.missing++;
      continue;
    }
    for (const each of getFiles(item)) {
      const size = zip.sizeOf(each.path);
      if (size !== null && size !== each.byteSize) throw new ImportError('damaged', each.path);
      if (!exists && size !== null) newBytes += each.byteSize;
    }
    counts.total++;
  }
  if (newPets > 0 && (await countPets(db, ownerId)) + newPets > MAX_PETS)
    throw new ImportError('too-many-pets');
  if (newBytes > 0 && !(await hasStorageFor(config, db, ownerId, newBytes)))
    throw new ImportError('album-full');
  return counts;
}

async function isInAlbum(
  { db, clock }: AppContext,
  ownerId: string,
  item: AlbumItem,
  possibleAlbumIds: PossibleAlbumIds,
): Promise<boolean> {
  if (item.list === 'pets') return (await findExistingPet(db, ownerId, item.value)) !== null;
  if (item.list === 'memories') {
    const options = { possibleAlbumIds, trashedSince: trashCutoff(clock) };
    return (
      (await findExistingMemory(db, ownerId, item.value)) !== null ||
      (await findDuplicateMemory(db, ownerId, item.value, options)) !== null
    );
  }
  return item.list === 'caricatures' && (await findExistingCaricature(db, ownerId, item.value)) !== null;
}
