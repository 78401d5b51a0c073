import type { Body, Meta, Uppy, UppyFile } from '@uppy/core';
import ImageEditor, { type ImageEditorOptions } from '@uppy/image-editor';
import { NOTICE_MS } from '../one-photo.ts';
import { toJpeg } from '../thumbnail/photo-thumbnail.ts';
import { dashboardOf } from './patch-uppy-dashboard.ts';

/** Every browser supports a canvas of this size. */
const MAX_SIDE_PX = 4096;

/** Edits a photo without losing its colors, also a HEIC where the browser has no decoder. Animations, of which it would keep one frame, and stored photos cannot be edited. */
export class PhotoEditor<M extends Meta, B extends Body> extends ImageEditor<M, B> {
  #saving: Promise<void> = Promise.resolve();

  constructor(uppy: Uppy<M, B>, options?: ImageEditorOptions) {
    super(uppy, {
      quality: 0.9,
      // Browsers apply the EXIF orientation already.
      cropperOptions: { checkOrientation: false },
      ...options,
    });
    const { initCropper, start } = this;
    this.start = (file) => {
      if (!isHeic(file)) start(file);
      else
        void this.#toJpeg(file).then((jpeg) => {
          const dashboard = dashboardOf(uppy);
          // It may have been closed in the meantime, and opened for another photo.
          if (dashboard?.getPluginState().fileCardFor !== file.id) return;
          if (jpeg) start(jpeg);
          else dashboard.closeFileEditor();
        });
    };
    this.initCropper = (image) => {
      initCropper(image);
      const { cropper } = this;
      // Cropper has no option for the canvas's color space, and in sRGB the colors of Display P3 would be lost.
      if (cropper) cropper.getCroppedCanvas = () => this.#followSaving(drawCrop(cropper, image));
    };
    // The editor closes before the edited photo is there: an upload that starts meanwhile would send the photo as it was.
    uppy.addPreProcessor(() => this.#saving);
  }

  override canEditFile(file: UppyFile<M, B>): boolean {
    // Not known until its bytes have been read.
    if (file.meta['isAnimated'] !== false || !(file.data instanceof Blob)) return false;
    // It may be a memory already: an edited copy would be a second one.
    return file.meta['storedAt'] === undefined && (isHeic(file) || super.canEditFile(file));
  }

  #followSaving(canvas: HTMLCanvasElement): HTMLCanvasElement {
    const toBlob = canvas.toBlob.bind(canvas);
    canvas.toBlob = (save, ...encoding) => {
      this.#saving = new Promise((resolve) => {
        toBlob(
          (blob) => {
            save(blob);
            resolve();
          },
          ...encoding,
        );
      });
    };
    return canvas;
  }

  /** @returns a JPEG for the editor, which saves edits in its file's type; null if the photo is broken */
  async #toJpeg(file: UppyFile<M, B>): Promise<UppyFile<M, B> | null> {
    const { uppy } = this;
    uppy.info('Getting the photo ready...', 'info', 0);
    try {
      if (!(file.data instanceof Blob)) throw new Error('The photo is not here');
      const data = await toJpeg(file.data, MAX_SIDE_PX);
      uppy.hideInfo();
      return { ...file, data, type: 'image/jpeg' };
    } catch {
      uppy.hideInfo();
      uppy.info('This photo can’t be adjusted here', 'error', NOTICE_MS);
      return null;
    }
  }
}

function isHeic({ type }: { type: string | undefined }): boolean {
  return /^image\/hei[cf]$/.test(type ?? '');
}

function drawCrop(
  cropper: NonNullable<ImageEditor<Meta, Body>['cropper']>,
  image: HTMLImageElement,
): HTMLCanvasElement {
  const { x, y, width, height, rotate, scaleX = 1, scaleY = 1 } = cropper.getData();
  const scale = Math.min(1, MAX_SIDE_PX / width, MAX_SIDE_PX / height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(width * scale));
  canvas.height = Math.max(1, Math.floor(height * scale));
  const context = canvas.getContext('2d', { colorSpace: 'display-p3' });
  if (!context) throw new Error('This browser has no 2D canvas');
  context.imageSmoothingQuality = 'high';
  // The crop is relative to the rotated photo.
  const rotated = cropper.getCanvasData();
  context.scale(scale, scale);
  context.translate(rotated.naturalWidth / 2 - x, rotated.naturalHeight / 2 - y);
  context.rotate((rotate * Math.PI) / 180);
  context.scale(scaleX, scaleY);
  context.drawImage(image, -image.naturalWidth / 2, -image.naturalHeight / 2);
  return canvas;
}
