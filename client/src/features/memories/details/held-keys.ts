import { hasModifier } from '../../../lib/browser/keyboard.ts';
import { toShortcut } from './memory-dialog-shortcuts.ts';

const MAX_HOLD_MS = 5000;

/**
 * Holds the dialog's shortcuts while it is opening. All other keys are the page's.
 * @returns a function that repeats them in the open dialog
 */
export function holdKeys(): () => void {
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
