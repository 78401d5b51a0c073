import { useEffect, useEffectEvent } from 'react';
import { watchFileDrags } from './file-drags.ts';
import { isEmpty, isFileTransfer, readTransfer, type TransferredFiles } from './transferred-files.ts';

/** Of dialogs and alert dialogs. */
const DIALOG = '[role$="dialog"]';

export function isDialogOpen(): boolean {
  return document.querySelector(DIALOG) !== null;
}

/**
 * Files that are dropped or pasted anywhere on the page, but not on a dialog.
 * @param isAlsoOnDialogs for a dialog that takes files itself
 */
export function useFilesOnPage(onFiles: (files: TransferredFiles) => void, isAlsoOnDialogs = false): void {
  /** Reads them in the event: later the browser has forgotten them. */
  const take = useEffectEvent((transfer: DataTransfer) => {
    if (!isAlsoOnDialogs && isDialogOpen()) return false;
    const files = readTransfer(transfer);
    if (isEmpty(files)) return false;
    onFiles(files);
    return true;
  });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const isFileDrag = watchFileDrags(signal);
    // Also where none is taken: the browser would open the file, and leave the page in the middle of an upload.
    const prevent = (event: DragEvent) => isFileTransfer(event.dataTransfer) && event.preventDefault();
    const drop = (event: DragEvent) => {
      prevent(event);
      if (event.dataTransfer && isFileDrag(event)) take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      if (isFileTransfer(clipboardData) && !isText(clipboardData) && take(clipboardData))
        event.preventDefault();
    };
    window.addEventListener('dragover', prevent, { signal });
    window.addEventListener('drop', drop, { signal });
    window.addEventListener('paste', paste, { signal });
    return () => listeners.abort();
  }, []);
}

/** Office programs add a picture of the text. Finder adds only a file's name. */
function isText({ types }: DataTransfer): boolean {
  return types.includes('text/plain') && (types.includes('text/html') || types.includes('text/rtf'));
}
