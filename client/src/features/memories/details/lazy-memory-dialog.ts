import { loadLater } from '../../../lib/load-later.tsx';
// Not in the dialog's chunk, since Vite does not retry a stylesheet that failed to load.
import './lightbox.css';

export const MemoryDialog = loadLater(async () => (await import('./memory-dialog.tsx')).MemoryDialog);
