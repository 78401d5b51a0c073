import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract } from 'tar-stream';
import { StartupError } from '../../platform/process/startup-error.ts';
import { MAX_SMALL_ENTRY_BYTES } from './backup-format.ts';

/** Named in the message that a person reads. */
export class BadBackupError extends StartupError {
  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
  }
}

export type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;
export type Reject = (reason: string) => StartupError;

/** Files only, and only whole ones. */
export async function* entriesOf(file: string): AsyncGenerator<Entry, void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new StartupError(`There is no file ${file}`);
    throw error;
  });
  if (!found.isFile()) throw new StartupError(`${file} is not a file.`);
  const tar = extract();
  const reading = pipeline(createReadStream(file), tar);
  reading.catch(() => undefined);
  let count = 0;
  try {
    for await (const entry of tar) {
      const { type, name } = entry.header;
      if (type !== 'file')
        throw new BadBackupError(
          file,
          `is rejected: its entry ${JSON.stringify(name)} is a ${type}, not a file.`,
        );
      count += 1;
      yield entry;
    }
    await reading;
  } catch (error) {
    if (count > 0 || error instanceof StartupError || (error as NodeJS.ErrnoException).code) throw error;
    throw new BadBackupError(file, 'is no backup of this program.');
  } finally {
    tar.destroy();
  }
}

export async function readSmall(entry: Entry, reject: Reject): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_SMALL_ENTRY_BYTES)
    throw reject(`is rejected: its entry ${entry.header.name} is too large.`);
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function skip(entry: Entry): Promise<void> {
  for await (const _ of entry);
}
