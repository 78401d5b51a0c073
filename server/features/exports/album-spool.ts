import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { v7 as uuidv7 } from 'uuid';
import { InsufficientStorageError } from '../../platform/errors.ts';
import type { DiskSpace } from '../../platform/files/disk-space.ts';
import type { ImageOfExport } from './export-data-queries.ts';
import type { ExportData, ExportListName } from './export-format.ts';

/** An item of a list of data.json, and the image that goes with it. `original`: what a pet's picture was cropped from. */
export type AlbumItem = {
  [List in ExportListName]: {
    list: List;
    value: ExportData[List][number];
    image: ImageOfExport | null;
  } & (List extends 'pets' ? { original?: ImageOfExport | null } : unknown);
}[ExportListName];

/**
 * What an album holds, in the order of the lists of data.json. It is in a file, since its texts may be larger than the memory,
 * and a database transaction cannot wait until the photos are stored.
 */
export type AlbumSpool = {
  /** @throws InsufficientStorageError when the disk of the temporary files is full */
  write(item: AlbumItem): Promise<void>;
  read(): AsyncIterable<AlbumItem>;
  close(): Promise<void>;
};

/** The texts of an album may be a gigabyte. */
const CHECK_INTERVAL_CHARACTERS = 1_000_000;

const READ_BYTES = 64 * 1024;

/** Without a stream, which reads ahead: the file may be closed as soon as its reader stops. */
async function* readLines(file: FileHandle): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(READ_BYTES), position });
    if (bytesRead === 0) return;
    position += bytesRead;
    const [first = '', ...others] = decoder.write(buffer.subarray(0, bytesRead)).split('\n');
    parts.push(first);
    for (const next of others) {
      yield parts.join('');
      parts = [next];
    }
  }
}

/** @param diskSpace the folder for temporary files may be on the disk of the data */
export async function openAlbumSpool(diskSpace: Pick<DiskSpace, 'requireRoomIn'>): Promise<AlbumSpool> {
  let unchecked = 0;
  const path = join(tmpdir(), `mems-export-${uuidv7()}`);
  const file = await open(path, 'wx+', 0o600);
  // Unlinked, so the system frees it when the process exits, even after a crash.
  await rm(path);
  return {
    async write(item) {
      const line = JSON.stringify(item);
      unchecked += line.length;
      if (unchecked > CHECK_INTERVAL_CHARACTERS) {
        unchecked = 0;
        await diskSpace.requireRoomIn(tmpdir());
      }
      await file.appendFile(`${line}\n`).catch((error: NodeJS.ErrnoException) => {
        throw ['ENOSPC', 'EDQUOT'].includes(error.code ?? '') ? new InsufficientStorageError(error) : error;
      });
    },
    async *read() {
      for await (const line of readLines(file)) yield JSON.parse(line) as AlbumItem;
    },
    close: () => file.close(),
  };
}
