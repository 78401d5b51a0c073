interface KeyPress {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** Whether a key is pressed along with another that gives it another meaning. */
export function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyPress): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
