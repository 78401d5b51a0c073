/** For the button of a dialog that does what Escape does. */
export const closedByEscape = { 'data-escape': '' };

/**
 * Escape goes to what was opened last, and that may be a notice. It is meant for the dialog on top all the same: the
 * notice stays, and leaves it to the dialog. Without a dialog it takes the notice away.
 */
export function leaveEscapeToDialog(event: KeyboardEvent): void {
  const buttons = document.querySelectorAll<HTMLElement>('[role$="dialog"][data-state="open"] [data-escape]');
  const onTop = [...buttons].at(-1);
  if (!onTop) return;
  event.preventDefault();
  onTop.click();
}
