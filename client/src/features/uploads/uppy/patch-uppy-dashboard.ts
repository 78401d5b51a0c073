import type { Body, Meta, Uppy } from '@uppy/core';
import type Dashboard from '@uppy/dashboard';
import type ImageEditor from '@uppy/image-editor';
import type { LocalPhoto } from '../one-photo.ts';

const EDITOR = '[data-uppy-paneltype=FileEditor]';
const PANELS = `${EDITOR}, [data-uppy-paneltype=PickerPanel]:not([class*='-leave'])`;
const REPLACE = '.uppy-Dashboard-Item-action--remove';
const WRONG_ROLES =
  '.uppy-Dashboard-Item[role], label[role=tooltip], .uppy-DashboardTab-btn, .uppy-Dashboard-AddFiles-list, [role=tabpanel]';

/** Corrects Uppy's dashboard for screen readers, the keyboard and double clicks. @returns the cleanup */
export function patchUppyDashboard(target: HTMLElement, uppy: Uppy<Meta, Body>): () => void {
  let shownPanel: Element | null = null;
  const patch = () => {
    correctAttributes(target);
    const panel = target.querySelector(PANELS);
    // Into the panel, and back to the button that opened it: the focused element is covered or removed.
    const isFocusLost = panel ? !panel.contains(document.activeElement) : shownPanel !== null;
    const next = panel ? findFirstControl(panel) : findOpener(target, shownPanel);
    shownPanel = panel;
    if (isFocusLost && next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  /** Escape closes the panel only, not the dialog around it. */
  const closePanel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    const dashboard = dashboardOf(uppy);
    const { fileCardFor, activePickerPanel } = dashboard?.getPluginState() ?? {};
    if (activePickerPanel) {
      event.stopPropagation();
      dashboard?.hideAllPanels();
    } else if (isEditing(uppy) && fileCardFor) {
      event.stopPropagation();
      uppy.emit('file-editor:cancel', uppy.getFile(fileCardFor));
      dashboard?.closeFileEditor();
    }
  };
  const observer = new MutationObserver(patch);
  observer.observe(target, { childList: true, subtree: true, attributeFilter: ['class'] });
  patch();
  const listeners = new AbortController();
  const options = { capture: true, signal: listeners.signal };
  target.addEventListener('click', ignoreSecondClick, options);
  replaceAtOnce(target, uppy, options);
  // The dialog listens on the document.
  window.addEventListener('keydown', closePanel, options);
  return () => {
    observer.disconnect();
    listeners.abort();
  };
}

/** 'Replace' asks for the next photo at once, if it replaces one of this device. */
function replaceAtOnce(target: HTMLElement, uppy: Uppy<Meta, Body>, options: AddEventListenerOptions): void {
  let replaced: LocalPhoto | null = null;
  const forgetReplaced = () => void (replaced = null);
  /** No other photo was chosen. */
  const restoreReplaced = () => {
    if (replaced?.data && uppy.getFiles().length === 0) {
      const { name, type, data } = replaced;
      uppy.addFile({ name, type, data, source: 'Dashboard' });
    }
    forgetReplaced();
  };
  const replace = ({ target: clicked }: MouseEvent) => {
    const isReplacing = clicked instanceof Element && clicked.closest(REPLACE) !== null;
    const [file] = uppy.getFiles();
    if (!isReplacing || !file || file.isRemote) return;
    replaced = file;
    requestAnimationFrame(() => target.querySelector<HTMLElement>('.uppy-Dashboard-browse')?.click());
  };
  target.addEventListener('click', replace, options);
  // Of the input for files, when its chooser closes.
  target.addEventListener('cancel', restoreReplaced, { ...options, capture: false });
  target.addEventListener('change', forgetReplaced, options);
}

export function isEditing(uppy: Uppy<Meta, Body>): boolean {
  return dashboardOf(uppy)?.getPluginState().showFileEditor === true;
}

export function canEdit(uppy: Uppy<Meta, Body>): boolean {
  const [file] = uppy.getFiles();
  return (
    file !== undefined && uppy.getPlugin<ImageEditor<Meta, Body>>('ImageEditor')?.canEditFile(file) === true
  );
}

/** Whether the panel of a remote source is shown, and is not just being closed. */
export function isPanelOpen(uppy: Uppy<Meta, Body>, id: string): boolean {
  return dashboardOf(uppy)?.getPluginState().activePickerPanel?.id === id;
}

/** Shows the panel of a remote source. */
export function openPanel(uppy: Uppy<Meta, Body>, id: string): void {
  dashboardOf(uppy)?.showPanel(id);
}

function findFirstControl(panel: Element): Element | null {
  return panel.querySelector('[data-uppy-super-focusable]') ?? panel.querySelector('button');
}

/** The photo may have been chosen in the panel: then the button that opened it is gone. */
function findOpener(target: HTMLElement, panel: Element | null): Element | null {
  if (panel?.matches(EDITOR)) return target.querySelector('.uppy-Dashboard-Item-action--edit');
  const source = panel?.id.replace('uppy-DashboardContent-panel--', '');
  return (
    target.querySelector(`[data-uppy-acquirer-id="${source}"] button`) ??
    target.querySelector('.uppy-StatusBar-actionBtn--upload')
  );
}

export function dashboardOf<M extends Meta, B extends Body>(uppy: Uppy<M, B>) {
  return uppy.getPlugin<Dashboard<M, B>>('Dashboard');
}

/** Wrong roles: a list item without a list, a label as a tooltip, buttons as tabs. */
function correctAttributes(target: HTMLElement): void {
  for (const element of target.querySelectorAll(WRONG_ROLES)) element.removeAttribute('role');
  for (const button of target.querySelectorAll('.uppy-DashboardTab-btn')) {
    button.removeAttribute('aria-selected');
    button.removeAttribute('aria-controls');
  }
  // Beside its name.
  for (const image of target.querySelectorAll('.uppy-ProviderBrowserItem img:not([alt])'))
    image.setAttribute('alt', '');
  // Focusing the search would open a phone's keyboard over the photos. A folder's checkbox is hidden.
  for (const input of target.querySelectorAll('input[type=search], .uppy-ProviderBrowserItem-checkbox'))
    input.removeAttribute('data-uppy-super-focusable');
}

/** 'Pause' appears where 'Upload' was: the second click of a double click would press it. */
function ignoreSecondClick(event: MouseEvent): void {
  const isOnStatusBar = event.target instanceof Element && event.target.closest('.uppy-StatusBar') !== null;
  if (event.detail > 1 && isOnStatusBar) event.stopPropagation();
}
