import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncToDisk } from '../../platform/files/sync-to-disk.ts';

const PART = /^[0-9a-f]{2}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The file of an object in a folder by hashes, where equal objects of all backups are one file. */
export function hashedFile(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256);
}

/** By way of a draft, so that the file is whole or missing. The caller syncs the folder (`syncHashedFiles`). */
export async function addHashedFile(
  folder: string,
  draft: string,
  body: Readable,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  await pipeline(body, hashed, createWriteStream(draft, { mode: 0o600, flush: true }));
  const sha256 = hash.digest('hex');
  const file = hashedFile(folder, sha256);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rename(draft, file);
  return { size, sha256 };
}

export async function hasHashedFile(
  folder: string,
  { sha256, size }: { sha256: string; size: number },
): Promise<boolean> {
  const found = await stat(hashedFile(folder, sha256)).catch(() => null);
  return found?.size === size;
}

export async function syncHashedFiles(folder: string): Promise<void> {
  for (const part of await listParts(folder)) await syncToDisk(join(folder, part));
  await syncToDisk(folder);
}

/** Leaves alone what `addHashedFile` did not make. */
export async function deleteHashedFilesExcept(
  folder: string,
  isNeeded: (sha256: string) => boolean,
): Promise<void> {
  for (const part of await listParts(folder))
    for (const name of await readdir(join(folder, part)))
      if (SHA256.test(name) && name.startsWith(part) && !isNeeded(name))
        await rm(join(folder, part, name), { force: true });
}

async function listParts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && PART.test(entry.name)).map(({ name }) => name);
}

const FILTER_BITS = 2 ** 27;

/**
 * A Bloom filter with one hash function, of 16 MB: no false negatives, and less than 1 % false positives with a million
 * hashes.
 */
export function createHashFilter() {
  const bits = new Uint8Array(FILTER_BITS / 8);
  const bitOf = (sha256: string) => Number.parseInt(sha256.slice(0, 8), 16) % FILTER_BITS;
  return {
    add(sha256: string): void {
      const bit = bitOf(sha256);
      bits[bit >> 3]! |= 1 << (bit & 7);
    },
    has(sha256: string): boolean {
      const bit = bitOf(sha256);
      return (bits[bit >> 3]! & (1 << (bit & 7))) !== 0;
    },
  };
}
