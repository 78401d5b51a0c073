/**
 * Mends what Uppy's dashboard does for a screen reader and a keyboard, as it appears. @returns what ends that
 */
export function mendDashboard(target: HTMLElement): () => void {
  let hasEditor = false;
  const mend = () => {
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
  const observer = new MutationObserver(mend);
  observer.observe(target, { childList: true, subtree: true });
  mend();
  return () => observer.disconnect();
}

/** An item of no list, a label that is a tooltip. */
function removeWrongRoles(target: HTMLElement): void {
  for (const element of target.querySelectorAll('.uppy-Dashboard-Item[role], label[role=tooltip]'))
    element.removeAttribute('role');
}
