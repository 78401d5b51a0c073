import AwsS3 from '@uppy/aws-s3';
import Uppy, { type Body, type Meta, type UppyFile } from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import GoldenRetriever from '@uppy/golden-retriever';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import { readCaptureDate } from './capture-date.ts';
import { addMakeMemoryStep, type UploadedPhoto } from './make-memory-step.ts';
import { PhotoEditor, photoEditorOptions } from './photo-editor.ts';
import { makeThumbnail } from './photo-thumbnail.ts';
import { explainFailure, isRefusal, type UploadStep } from './upload-failure.ts';
import type { UploadSession } from './upload-session-api.ts';
import { uploaderLocale } from './uploader-locale.ts';

/** By extension too: browsers that don't know HEIC leave its type empty. */
const PHOTO_TYPES = ['image/*', '.heic', '.heif'];
const NO_TYPE = 'application/octet-stream';
const WIDTH_PX = 750;
const HEIGHT_PX = 550;

export interface UploadSteps {
  sign: (contentType: string, size: number) => Promise<{ uploadURL: string }>;
  onUploaded: (photo: UploadedPhoto) => Promise<void>;
  onRefused: (error: unknown) => void;
  onFailed: (step: UploadStep, error: unknown) => void;
  onDone: () => void;
}

/** Asked for at each step, since they change while Uppy lives. */
export type CurrentSteps = () => UploadSteps;

type PhotoFile = UppyFile<Meta, Body>;
export type PhotoUppy = Uppy<Meta, Body>;

/** Uppy with its dashboard, for one photo. */
export function createPhotoUppy(target: HTMLElement, session: UploadSession, steps: CurrentSteps): PhotoUppy {
  const uppy: PhotoUppy = new Uppy({
    id: session.id,
    restrictions: { maxNumberOfFiles: 1, maxFileSize: UPLOAD_MAX_BYTES, allowedFileTypes: PHOTO_TYPES },
    locale: uploaderLocale,
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
  sendToStorage(uppy, session, steps);
  handleFailures(uppy, session, steps);
  showThumbnails(uppy);
  keepCaptureDate(uppy);
  forgetReplacedPhotos(uppy, session);
  // Last: it restores at once, and the others want to see that.
  if (!session.isShared) uppy.use(GoldenRetriever);
  return uppy;
}

/** Each try asks for an address of its own, so that one that has expired does no harm. */
function sendToStorage(uppy: PhotoUppy, session: UploadSession, steps: CurrentSteps): void {
  uppy.use(AwsS3, {
    shouldUseMultipart: false,
    generateObjectKey: (file) => file.id,
    signRequest: async ({ key, ...request }) => {
      const contentType = ('contentType' in request && request.contentType) || NO_TYPE;
      const { uploadURL } = await steps().sign(contentType, uppy.getFile(key).size ?? 0);
      const url = new URL(uploadURL, window.location.href);
      session.setAddress(url.origin + url.pathname);
      return { url: url.href };
    },
  });
}

function handleFailures(uppy: PhotoUppy, session: UploadSession, steps: CurrentSteps): void {
  const fail = (step: UploadStep, file: PhotoFile | undefined, error: unknown) => {
    const words = explainFailure(error);
    // Uppy's own notice has a stranger's words.
    uppy.hideInfo();
    uppy.setState({ error: words });
    if (file && uppy.getFile(file.id)) uppy.setFileState(file.id, { error: words });
    steps().onFailed(step, error);
  };
  // Refused before it was sent, as by an album that is full: to send it again would change nothing.
  uppy.on('upload-error', (file, error) =>
    isRefusal(error) ? steps().onRefused(error) : fail('storage', file, error),
  );
  addMakeMemoryStep(uppy, {
    session,
    onUploaded: (photo) => steps().onUploaded(photo),
    onRefused: (error) => steps().onRefused(error),
    onFailed: (file, error) => fail('memory', file, error),
  });
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
