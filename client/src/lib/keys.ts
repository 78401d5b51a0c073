type ModifierKey = 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey';

/** Whether a key is pressed along with another that gives it another meaning. */
export function hasModifier({
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<KeyboardEvent, ModifierKey>): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
