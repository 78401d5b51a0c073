import type { TransferredFiles } from '../../../lib/browser/transferred-files.ts';
import { toChosenFile, type ChosenFile } from '../queue/queued-photo.ts';

/** Of an <input>. Those of a folder have paths. */
export function filesOfInput(files: FileList | null): ChosenFile[] {
  return [...(files ?? [])].map((file) => toChosenFile(file, file.webkitRelativePath || file.name));
}

/** With all that is in dropped folders. */
export async function filesOfTransfer({ entries, files }: TransferredFiles): Promise<ChosenFile[]> {
  const given = entries.filter((entry) => entry !== null);
  if (given.length === 0) return files.map((file) => toChosenFile(file));
  return (await Promise.all(given.map(filesOfEntry))).flat();
}

async function filesOfEntry(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [toChosenFile(file, entry.fullPath.replace(/^\//, ''))];
  }
  if (!isFolder(entry)) return [];
  const found: ChosenFile[] = [];
  const reader = entry.createReader();
  for (;;) {
    // A part of them each time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return found;
    for (const each of entries) found.push(...(await filesOfEntry(each)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
