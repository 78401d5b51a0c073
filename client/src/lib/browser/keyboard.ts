type ModifierKey = 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey';

export function hasModifier({
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<KeyboardEvent, ModifierKey>): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
