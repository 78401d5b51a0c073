import Uppy, { type Body, type Meta, type UppyFile } from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import GoldenRetriever from '@uppy/golden-retriever';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import { readCaptureDate } from './capture-date.ts';
import { PhotoEditor, photoEditorOptions } from './photo-editor.ts';
import { makeThumbnail } from './photo-thumbnail.ts';
import { addPhotoUpload, type UploadSteps } from './photo-upload.ts';
import { shortenFileName } from './short-file-name.ts';
import type { UploadSession } from './upload-session-api.ts';
import { uploaderLocale } from './uploader-locale.ts';

/** By extension too: browsers that don't know HEIC leave its type empty. */
const PHOTO_TYPES = ['image/*', '.heic', '.heif'];
const ANOTHER_PHOTO = 'One photo at a time. Remove this one to choose another.';
const SECOND_PHOTO = 'One photo at a time: we took the first.';
const NOTICE_MS = 5000;
const WIDTH_PX = 750;
const HEIGHT_PX = 550;

export interface UploaderSteps extends UploadSteps {
  onDone: () => void;
}

/** Asked for at each step, since they change while Uppy lives. */
export type CurrentSteps = () => UploaderSteps;

type PhotoFile = UppyFile<Meta, Body>;
export type PhotoUppy = Uppy<Meta, Body>;

/** Uppy with its dashboard, for one photo. */
export function createPhotoUppy(target: HTMLElement, session: UploadSession, steps: CurrentSteps): PhotoUppy {
  const uppy: PhotoUppy = new Uppy({
    id: session.id,
    restrictions: { maxNumberOfFiles: 1, maxFileSize: UPLOAD_MAX_BYTES, allowedFileTypes: PHOTO_TYPES },
    locale: uploaderLocale,
    // While it waits or is being kept, the photo is not 'new' again: no second 'Upload' beside that.
    allowMultipleUploadBatches: false,
    onBeforeFileAdded: (file, files) => {
      if (Object.keys(files).length > 0) {
        uppy.info(uppy.getFiles().length > 0 ? ANOTHER_PHOTO : SECOND_PHOTO, 'info', NOTICE_MS);
        return false;
      }
      // What was said of a file before is not about this one.
      uppy.setState({ info: [] });
      return { ...file, meta: { ...file.meta, name: shortenFileName(file.meta.name) } };
    },
    // What goes wrong is shown to the person; the console is for what nobody expected.
    logger: { debug: () => {}, warn: () => {}, error: () => {} },
  });
  uppy.use(Dashboard, {
    inline: true,
    target,
    width: WIDTH_PX,
    height: HEIGHT_PX,
    disableThumbnailGenerator: true,
    proudlyDisplayPoweredByUppy: false,
    showLinkToFileUploadResult: false,
    doneButtonHandler: () => steps().onDone(),
  });
  uppy.use(PhotoEditor, photoEditorOptions);
  addPhotoUpload(uppy, session, steps);
  showThumbnails(uppy);
  keepCaptureDate(uppy);
  forgetReplacedPhotos(uppy, session);
  // Last: it restores at once, and the others want to see that.
  if (!session.isShared) uppy.use(GoldenRetriever);
  return uppy;
}

/** Kept in the file's meta, too: that outlives the photo, which Golden Retriever lets go once it has arrived. */
function showThumbnails(uppy: PhotoUppy): void {
  const show = (id: string, thumbnail: string) => {
    if (!uppy.getFile(id)) return;
    uppy.setFileMeta(id, { thumbnail });
    uppy.setFileState(id, { preview: thumbnail });
  };
  const make = ({ id, data }: PhotoFile) => {
    if (!(data instanceof Blob)) return;
    makeThumbnail(data).then(
      (thumbnail) => show(id, thumbnail),
      () => {}, // No picture that this browser can show: the file's icon stays.
    );
  };
  uppy.on('file-added', make).on('file-editor:complete', make);
  uppy.on('restored', () => {
    for (const file of uppy.getFiles()) {
      const { thumbnail } = file.meta;
      if (typeof thumbnail === 'string') show(file.id, thumbnail);
      else make(file);
    }
  });
}

/** Saving an edit makes a new file that no longer says when the photo was taken. */
function keepCaptureDate(uppy: PhotoUppy): void {
  uppy.on('file-editor:start', ({ id, data, meta }) => {
    if (!(data instanceof Blob) || 'takenAt' in meta) return;
    void readCaptureDate(data).then((takenAt) => uppy.getFile(id) && uppy.setFileMeta(id, { takenAt }));
  });
}

/** The address was of another photo then, or of another version of it. */
function forgetReplacedPhotos(uppy: PhotoUppy, session: UploadSession): void {
  const forget = () => session.setAddress(null);
  uppy.on('file-removed', forget).on('file-editor:complete', forget);
}
