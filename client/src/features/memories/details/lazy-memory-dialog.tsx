import { useEffect } from 'react';
import { loadLater } from '../../../lib/routing/load-later.tsx';
import { holdKeys } from './held-keys.ts';
// Not in the dialog's chunk, since Vite does not retry a stylesheet that failed to load.
import './lightbox.css';

/** The dialog for pages that show memories at first. */
export const MemoryDialog = loadLater(
  async () => (await import('./memory-dialog.tsx')).MemoryDialog,
  <HeldKeys />,
);

/** Repeats in the open dialog its shortcuts pressed while its code was loading. */
function HeldKeys() {
  useEffect(() => holdKeys(), []);
  return null;
}
