import type { KeyboardEvent } from 'react';
import { hasModifier } from '../../../lib/keys.ts';

/** What the keys of the open memory do. */
export type DialogKeys = Record<'ArrowLeft' | 'ArrowRight' | 'l' | 'e' | 'f', () => void>;

/** Only where a key means nothing else: in no field, and with no other key. */
export function pressDialogKey(event: KeyboardEvent<HTMLElement>, keys: DialogKeys): void {
  const { target, currentTarget } = event;
  if (event.defaultPrevented || hasModifier(event)) return;
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest('input, textarea, select, [contenteditable], [role="menu"]')) return;
  const name = nameOf(event);
  if (!(name in keys)) return;
  event.preventDefault();
  // A letter that is held down is one wish.
  if (!event.repeat || name.startsWith('Arrow')) keys[name as keyof DialogKeys]();
}

/** A letter's key is where it stands on a keyboard of another script. */
function nameOf({ key, code }: { key: string; code: string }): string {
  if (key.length > 1) return key;
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace('Key', '').toLowerCase();
}
