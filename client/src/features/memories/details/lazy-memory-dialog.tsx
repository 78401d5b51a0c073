import { useEffect } from 'react';
import { hasModifier } from '../../../lib/keyboard.ts';
import { loadLater } from '../../../lib/load-later.tsx';
import { toShortcut } from './memory-shortcuts.ts';
// Not in the dialog's chunk, since Vite does not retry a stylesheet that failed to load.
import './lightbox.css';

const MAX_HOLD_MS = 5000;

/** The dialog for pages that show memories at first. */
export const MemoryDialog = loadLater(
  async () => (await import('./memory-dialog.tsx')).MemoryDialog,
  <HeldKeys />,
);

/** Repeats in the open dialog its shortcuts pressed while its code was loading. All other keys are the page's. */
function HeldKeys() {
  useEffect(() => {
    let held: KeyboardEvent[] = [];
    const hold = (event: KeyboardEvent) => {
      const isEscape = event.key === 'Escape' && !hasModifier(event);
      if (!event.isTrusted || !(isEscape || toShortcut(event))) return;
      event.preventDefault();
      event.stopPropagation();
      held.push(event);
    };
    const release = () => window.removeEventListener('keydown', hold, { capture: true });
    window.addEventListener('keydown', hold, { capture: true });
    const timeout = setTimeout(() => {
      release();
      held = [];
    }, MAX_HOLD_MS);
    return () => {
      clearTimeout(timeout);
      void repeat(held).then(release);
    };
  }, []);
  return null;
}

/** One key per task, so that React renders after each. Includes keys added in between. */
async function repeat(held: KeyboardEvent[]): Promise<void> {
  for (const { key, code, repeat } of held) {
    await new Promise((resolve) => setTimeout(resolve));
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(
      new KeyboardEvent('keydown', { key, code, repeat, bubbles: true, cancelable: true }),
    );
  }
}
