import type { Body, Meta, Uppy } from '@uppy/core';
import type Dashboard from '@uppy/dashboard';

/** Corrects Uppy's dashboard for screen readers, the keyboard and double clicks. @returns the cleanup */
export function patchUppyDashboard(target: HTMLElement, uppy: Uppy<Meta, Body>): () => void {
  let hasEditor = false;
  const patch = () => {
    removeWrongRoles(target);
    const editor = target.querySelector('[data-uppy-paneltype=FileEditor]');
    if (hasEditor === (editor !== null)) return;
    hasEditor = editor !== null;
    // Into the editor, and back to the button that opened it: the focused element is covered or removed.
    const next = editor
      ? editor.querySelector('button')
      : target.querySelector('.uppy-Dashboard-Item-action--edit');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  /** Escape closes the editor only, not the dialog around it. */
  const closeEditor = (event: KeyboardEvent) => {
    const dashboard = dashboardOf(uppy);
    const fileId = dashboard?.getPluginState().fileCardFor;
    if (event.key !== 'Escape' || !isEditing(uppy) || !fileId) return;
    event.stopPropagation();
    uppy.emit('file-editor:cancel', uppy.getFile(fileId));
    dashboard?.closeFileEditor();
  };
  const observer = new MutationObserver(patch);
  observer.observe(target, { childList: true, subtree: true });
  patch();
  target.addEventListener('click', ignoreSecondClick, { capture: true });
  // The dialog listens on the document.
  window.addEventListener('keydown', closeEditor, { capture: true });
  return () => {
    observer.disconnect();
    target.removeEventListener('click', ignoreSecondClick, { capture: true });
    window.removeEventListener('keydown', closeEditor, { capture: true });
  };
}

export function isEditing(uppy: Uppy<Meta, Body>): boolean {
  return dashboardOf(uppy)?.getPluginState().showFileEditor === true;
}

function dashboardOf(uppy: Uppy<Meta, Body>) {
  return uppy.getPlugin<Dashboard<Meta, Body>>('Dashboard');
}

/** A list item without a list, and a label with the role of a tooltip. */
function removeWrongRoles(target: HTMLElement): void {
  for (const element of target.querySelectorAll('.uppy-Dashboard-Item[role], label[role=tooltip]'))
    element.removeAttribute('role');
}

/** 'Pause' appears where 'Upload' was: the second click of a double click would press it. */
function ignoreSecondClick(event: MouseEvent): void {
  const isOnStatusBar = event.target instanceof Element && event.target.closest('.uppy-StatusBar') !== null;
  if (event.detail > 1 && isOnStatusBar) event.stopPropagation();
}
