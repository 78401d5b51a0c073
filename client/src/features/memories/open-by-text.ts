import type { MouseEvent } from 'react';

/**
 * For the words beside a picture: a click on them presses the picture's button. They are no button themselves, so that
 * their text can be selected and the keyboard meets each memory once.
 */
export function openByText({ currentTarget }: MouseEvent<HTMLElement>): void {
  if (getSelection()?.isCollapsed === false) return;
  currentTarget.closest('li, [role="listitem"]')?.querySelector('button')?.click();
}
