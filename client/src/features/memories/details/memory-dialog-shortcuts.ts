import { hasModifier } from '../../../lib/browser/keyboard.ts';

const SHORTCUTS = ['ArrowLeft', 'ArrowRight', 'l', 'e', 'f'] as const;
export type Shortcut = (typeof SHORTCUTS)[number];

const TYPING = 'input, textarea, select, [contenteditable], [role="menu"]';

type KeyPress = Pick<KeyboardEvent, 'target' | 'key' | 'code'> & Parameters<typeof hasModifier>[0];

/** The shortcut of the memory's dialog. Null in form fields and menus, and with modifiers. */
export function toShortcut(press: KeyPress): Shortcut | null {
  if (hasModifier(press) || (press.target instanceof Element && press.target.closest(TYPING))) return null;
  const name = nameOf(press);
  return SHORTCUTS.find((each) => each === name) ?? null;
}

/** On a keyboard of another script, the key at the letter's position counts. */
function nameOf({ key, code }: KeyPress): string {
  if (key.length > 1) return key;
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace('Key', '').toLowerCase();
}
