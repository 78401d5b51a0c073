import type { Body, Meta, Uppy, UppyFile } from '@uppy/core';
import type Dashboard from '@uppy/dashboard';
import ImageEditor, { type ImageEditorOptions } from '@uppy/image-editor';

/** The most that every browser's canvas can hold. */
const LARGEST_SIDE_PX = 4096;

export const photoEditorOptions: ImageEditorOptions = {
  quality: 0.9,
  cropperOptions: {
    // Browsers turn a phone's photos themselves.
    checkOrientation: false,
    croppedCanvasOptions: {
      maxWidth: LARGEST_SIDE_PX,
      maxHeight: LARGEST_SIDE_PX,
      imageSmoothingQuality: 'high',
    },
  },
};

/** Uppy's image editor, except for GIFs, of which it would keep the first picture only, and for photos that are stored. */
export class PhotoEditor<M extends Meta, B extends Body> extends ImageEditor<M, B> {
  override canEditFile(file: UppyFile<M, B>): boolean {
    if (file.type === 'image/gif' || !(file.data instanceof Blob)) return false;
    // A memory may have been made of it already: a changed copy would be a second one.
    return file.meta['storedAt'] === undefined && super.canEditFile(file);
  }
}

/** Escape leaves the editor and nothing else: the dialog around it would close as well. @returns what ends that */
export function leaveEditorByEscape(uppy: Uppy<Meta, Body>): () => void {
  const leave = (event: KeyboardEvent) => {
    const dashboard = uppy.getPlugin<Dashboard<Meta, Body>>('Dashboard');
    const { showFileEditor, fileCardFor } = dashboard?.getPluginState() ?? {};
    if (event.key !== 'Escape' || !showFileEditor || !fileCardFor) return;
    event.stopPropagation();
    uppy.emit('file-editor:cancel', uppy.getFile(fileCardFor));
    dashboard?.closeFileEditor();
  };
  // Before the document hears of it, where the dialog listens.
  window.addEventListener('keydown', leave, { capture: true });
  return () => window.removeEventListener('keydown', leave, { capture: true });
}
