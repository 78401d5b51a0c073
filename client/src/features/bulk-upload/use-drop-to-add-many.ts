import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../lib/paths.ts';
import { handOver } from './hand-over.ts';
import { isFileTransfer } from './is-file-transfer.ts';

/** Files that are dropped anywhere on this page, but not on a dialog, are added on the page for many. */
export function useDropToAddMany(): void {
  const [, navigate] = useLocation();
  const open = useEffectEvent((transfer: DataTransfer) => {
    // In the event: later the browser has forgotten them.
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
    const files = [...transfer.files];
    handOver(import('./chosen-files.ts').then(({ filesOfEntries }) => filesOfEntries(entries, files)));
    navigate(paths.addMany);
  });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const isForPage = ({ dataTransfer }: DragEvent) =>
      isFileTransfer(dataTransfer) && !document.querySelector('[role="dialog"]');
    const over = (event: DragEvent) => isForPage(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!isForPage(event) || !event.dataTransfer) return;
      event.preventDefault();
      open(event.dataTransfer);
    };
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => listeners.abort();
  }, []);
}
