import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { AlbumItem, AlbumSpool } from '../exports/album-spool.ts';
import { addPossibleAlbumIds, type Existing, type PossibleAlbumIds } from './album-item-queries.ts';
import type { ImportedUser, ImportFile } from './read-archive/read-import-data.ts';
import type { ImportZip } from './read-archive/zip-reader.ts';

export type ImportCounts = {
  total: number;
  done: number;
  added: number;
  unreadable: number;
  missing: number;
};

export type ImportSource = {
  ownerId: string;
  zip: ImportZip;
  spool: AlbumSpool;
  user: ImportedUser;
  /** Then what takes the decoder too long is skipped, as what it cannot read. */
  isLastDecodeAttempt: boolean;
};

/** Of an import that adds its items. */
export type ImportState = ImportSource & {
  context: AppContext;
  counts: ImportCounts;
  /** In the transaction that adds an item, if one does; throws to stop. */
  onProgress: (counts: ImportCounts, tx?: Tx) => Promise<void>;
  timeZone: string;
  /** By the exported id. */
  petIds: Map<string, string>;
  /** Memories that came back from another album, and have neither the exported id nor that of an import. */
  matchedMemories: Map<string, Existing & { imageId: string }>;
  possibleAlbumIds: PossibleAlbumIds;
};

export type ItemOf<List extends AlbumItem['list']> = Extract<AlbumItem, { list: List }>['value'];

export async function readPossibleAlbumIds(spool: AlbumSpool, ownerId: string): Promise<PossibleAlbumIds> {
  const ids: PossibleAlbumIds = new Set();
  for await (const item of spool.read())
    if (item.list === 'memories') addPossibleAlbumIds(ids, ownerId, item.value);
  return ids;
}

export function isInZip({ zip }: ImportSource, file: ImportFile): boolean {
  return zip.sizeOf(file.path) !== null;
}

export function petIdOf({ petIds }: ImportState, exportedId: string | null): string | null {
  return (exportedId && petIds.get(exportedId)) ?? null;
}

export async function countAdded({ counts, onProgress }: ImportState, tx: Tx): Promise<void> {
  counts.done++;
  counts.added++;
  await onProgress(counts, tx);
}

/** It is there already, or cannot be decoded. */
export async function countSkipped(
  { counts, onProgress }: ImportState,
  { isUnreadable = false, tx }: { isUnreadable?: boolean; tx?: Tx } = {},
): Promise<void> {
  counts.done++;
  counts.unreadable += Number(isUnreadable);
  await onProgress(counts, tx);
}
