import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LINKS_FOLDER } from '../platform/data-folder/data-folder.ts';

/** Standard output that is no terminal is often a log, with more readers and a longer life than the link should have. */
export async function describeSecretLink(
  { dataDir, isTerminal }: { dataDir: string; isTerminal: boolean },
  name: 'administrator' | 'outbox',
  url: string | null,
): Promise<string | null> {
  const file = join(dataDir, LINKS_FOLDER, name);
  if (url === null || isTerminal) await rm(file, { force: true }).catch(() => undefined);
  if (url === null || isTerminal) return url;
  try {
    await writePrivately(file, `${url}\n`);
  } catch (error) {
    // With external services the app starts without a data folder that it can write to.
    return `the link could not be written (${(error as Error).message}); start once in a terminal`;
  }
  return `the link is in ${file}`;
}

async function writePrivately(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, file);
}
