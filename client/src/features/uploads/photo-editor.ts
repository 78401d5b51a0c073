import type { Body, Meta, UppyFile } from '@uppy/core';
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

/** Uppy's image editor, except for GIFs: it would keep nothing but their first picture. */
export class PhotoEditor<M extends Meta, B extends Body> extends ImageEditor<M, B> {
  override canEditFile(file: UppyFile<M, B>): boolean {
    return file.type !== 'image/gif' && super.canEditFile(file);
  }
}
