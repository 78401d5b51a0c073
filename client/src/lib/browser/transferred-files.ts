/** Files that were pasted or dropped. */
export interface TransferredFiles {
  /** Of files and folders; null for what is none. */
  entries: (FileSystemEntry | null)[];
  /** For a browser that gives no entries, as for pasted pictures. */
  files: File[];
}

export function isFileTransfer(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer !== null && transfer.types.includes('Files');
}

/** Call it in the event: later the browser has forgotten them. */
export function readTransfer({ items, files }: DataTransfer): TransferredFiles {
  return { entries: [...items].map((item) => item.webkitGetAsEntry()), files: [...files] };
}

export function isEmpty({ entries, files }: TransferredFiles): boolean {
  return files.length === 0 && entries.every((entry) => entry === null);
}

let handedOver: TransferredFiles | null = null;

/** For the page that is opened next. */
export function handOver(transferred: TransferredFiles): void {
  handedOver = transferred;
}

export function takeOver(): TransferredFiles | null {
  const taken = handedOver;
  handedOver = null;
  return taken;
}
