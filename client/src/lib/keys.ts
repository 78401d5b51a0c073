type ModifierKey = 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey';

/** Shortcuts of the app ignore keys with a modifier. */
export function hasModifier({
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<KeyboardEvent, ModifierKey>): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
