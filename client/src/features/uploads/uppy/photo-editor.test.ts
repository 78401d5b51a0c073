// @vitest-environment jsdom
import { setImmediate as afterMicrotasks } from 'node:timers/promises';
import Uppy, { type Body, type Meta } from '@uppy/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PhotoEditor } from './photo-editor.ts';

/** Ends the encoding of the edited photo. */
let encode: BlobCallback | null;

// jsdom draws nothing and encodes nothing.
beforeEach(() => {
  encode = null;
  const context = { scale() {}, translate() {}, rotate() {}, drawImage() {} };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((callback) => void (encode = callback));
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL() {} }));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('uploads the adjusted photo also if that is encoded after the upload was started', async () => {
  const uppy = new Uppy<Meta, Body>();
  const uploaded: string[] = [];
  uppy.addUploader(async ([id = '']) => {
    const { data } = uppy.getFile(id);
    uploaded.push(data instanceof Blob ? await data.text() : '');
  });
  uppy.use(PhotoEditor);
  const id = uppy.addFile({ name: 'rex.jpg', type: 'image/jpeg', data: new File(['as chosen'], 'rex.jpg') });
  const editor = uppy.getPlugin<PhotoEditor<Meta, Body>>('ImageEditor')!;
  editor.start(uppy.getFile(id));
  editor.initCropper(document.body.appendChild(document.createElement('img')));
  // The image never loads.
  const crop = { x: 0, y: 0, width: 2, height: 2, rotate: 0, scaleX: 1, scaleY: 1 };
  vi.spyOn(editor.cropper!, 'getData').mockReturnValue(crop);
  editor.save();
  const uploading = uppy.upload();
  await afterMicrotasks();
  expect(uploaded, 'while it is encoded').toEqual([]);
  encode?.(new Blob(['adjusted'], { type: 'image/jpeg' }));
  await uploading;
  expect(uploaded).toEqual(['adjusted']);
  uppy.destroy();
});
