import { useEffect, useEffectEvent } from 'react';
import { isFileTransfer } from '../../../lib/browser/transferred-files.ts';

const EDITABLE = 'input, textarea, [contenteditable]';

/**
 * Files that are dropped or pasted anywhere on the page, but not on a dialog, unless that is the form for new memories.
 * @param onFiles reads the files in the event: later the browser has forgotten them
 */
export function useFilesOnPage(isFormOpen: boolean, onFiles: (transfer: DataTransfer) => void): void {
  const isForPage = useEffectEvent(
    (transfer: DataTransfer | null): transfer is DataTransfer =>
      isFileTransfer(transfer) && (isFormOpen || !document.querySelector('[role$="dialog"]')),
  );
  const take = useEffectEvent((event: Event, transfer: DataTransfer | null) => {
    if (!isForPage(transfer)) return;
    event.preventDefault();
    onFiles(transfer);
  });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const over = (event: DragEvent) => isForPage(event.dataTransfer) && event.preventDefault();
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      // Office programs add a picture of the text.
      const isText = clipboardData?.types.includes('text/plain') ?? false;
      if (!(isText && target instanceof Element && target.matches(EDITABLE))) take(event, clipboardData);
    };
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('drop', (event) => take(event, event.dataTransfer), { signal });
    window.addEventListener('paste', paste, { signal });
    return () => listeners.abort();
  }, []);
}
