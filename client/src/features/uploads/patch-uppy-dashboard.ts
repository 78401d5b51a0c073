/**
 * Mends what Uppy's dashboard does for a screen reader, a keyboard and a hasty hand, as it appears. @returns what ends that
 */
export function patchUppyDashboard(target: HTMLElement): () => void {
  let hasEditor = false;
  const patch = () => {
    removeWrongRoles(target);
    const editor = target.querySelector('[data-uppy-paneltype=FileEditor]');
    if (hasEditor === (editor !== null)) return;
    hasEditor = editor !== null;
    // Into the editor, and back to where it was opened: what had the focus is covered or gone by then.
    const next = editor
      ? editor.querySelector('button')
      : target.querySelector('.uppy-Dashboard-Item-action--edit');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(patch);
  observer.observe(target, { childList: true, subtree: true });
  patch();
  target.addEventListener('click', ignoreSecondClick, { capture: true });
  return () => {
    observer.disconnect();
    target.removeEventListener('click', ignoreSecondClick, { capture: true });
  };
}

/** An item of no list, a label that is a tooltip. */
function removeWrongRoles(target: HTMLElement): void {
  for (const element of target.querySelectorAll('.uppy-Dashboard-Item[role], label[role=tooltip]'))
    element.removeAttribute('role');
}

/** Where 'Upload' was there is 'Pause' a moment later: the second half of a double click would press it. */
function ignoreSecondClick(event: MouseEvent): void {
  const isOnStatusBar = event.target instanceof Element && event.target.closest('.uppy-StatusBar') !== null;
  if (event.detail > 1 && isOnStatusBar) event.stopPropagation();
}
