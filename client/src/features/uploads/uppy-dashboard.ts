import Uppy from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import GoldenRetriever from '@uppy/golden-retriever';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '#shared/transfers/upload';
import { PhotoEditor } from './uppy/photo-editor.ts';
import { readPhotoFacts } from './photo-facts.ts';
import { loadImage, makePreviews } from './thumbnail/photo-thumbnail.ts';
import { withoutAccessToken } from './remote/google-access-tokens.ts';
import {
  ANOTHER_PHOTO,
  NOTICE_MS,
  PHOTO_TYPES,
  SECOND_PHOTO,
  type PhotoFile,
  type PhotoUppy,
} from './one-photo.ts';
import { PhotoUpload, type UploadSteps } from './photo-upload.ts';
import type { InstallRemoteSource, RemoteSourceHandlers } from './remote/remote-sources.ts';
import { shortenFileName } from './shorten-file-name.ts';
import type { UploadSession } from './upload-session.ts';
import { uploaderLocale } from './uppy/uppy-locale.ts';

const WIDTH_PX = 750;
const HEIGHT_PX = 550;

/** Uppy with its dashboard, for one photo. @returns Uppy, and the function that the 'Retry' button calls */
export function createPhotoUppy(
  target: HTMLElement,
  session: UploadSession,
  steps: () => UploadSteps & RemoteSourceHandlers & { onDone: () => void },
  remoteSources: InstallRemoteSource[] = [],
  isPhotoGiven = false,
): [uppy: PhotoUppy, retry: () => void] {
  const uppy = createUppy(session.id);
  if (isPhotoGiven) ignoreRestored(uppy);
  uppy.use(Dashboard, {
    inline: true,
    target,
    width: WIDTH_PX,
    height: HEIGHT_PX,
    disableThumbnailGenerator: true,
    hideRetryButton: true,
    // Bytes and seconds; the bar shows the progress.
    hideProgressDetails: true,
    proudlyDisplayPoweredByUppy: false,
    showLinkToFileUploadResult: false,
    doneButtonHandler: () => steps().onDone(),
  });
  uppy.use(PhotoEditor);
  // An edited HEIC is a JPEG.
  uppy.on('file-editor:complete', ({ id, data }) => {
    if (data instanceof Blob) uppy.setFileState(id, { type: data.type });
  });
  for (const install of remoteSources)
    install(uppy, { findPhoto: (url, signal) => steps().findPhoto(url, signal) });
  const upload = new PhotoUpload(uppy, session, steps);
  showThumbnails(uppy);
  hideBrokenPreviews(uppy);
  readMetadata(uppy);
  forgetReplacedPhotos(uppy, session);
  // Added last: the plugins above must already listen for 'restored'.
  if (!session.isShared) uppy.use(GoldenRetriever);
  return [uppy, () => upload.retry()];
}

function createUppy(id: string): PhotoUppy {
  const uppy: PhotoUppy = new Uppy({
    id,
    restrictions: {
      maxNumberOfFiles: MAX_UPLOAD_FILES,
      maxFileSize: MAX_UPLOAD_BYTES,
      allowedFileTypes: PHOTO_TYPES,
    },
    locale: uploaderLocale,
    // While a photo counts as not started, Uppy would show a second 'Upload' button.
    allowMultipleUploadBatches: false,
    onBeforeFileAdded: (file, files) => {
      if (Object.keys(files).length > 0) {
        uppy.info(uppy.getFiles().length > 0 ? ANOTHER_PHOTO : SECOND_PHOTO, 'info', NOTICE_MS);
        return false;
      }
      // Clears notices about the previous photo.
      uppy.setState({ info: [] });
      return toStorable({ ...file, meta: { ...file.meta, name: shortenFileName(file.meta.name) } });
    },
    // Errors are shown in the dialog; the console is for bugs.
    logger: { debug: () => {}, warn: () => {}, error: () => {} },
  });
  return uppy;
}

/** Golden Retriever stores `meta` and `remote`, which gets no token, but not `preview`. */
function toStorable(file: PhotoFile): PhotoFile {
  if (!file.isRemote) return file;
  const { preview: thumbnail, meta, remote } = file;
  return { ...file, meta: { ...meta, thumbnail }, remote: withoutAccessToken(remote) };
}

/** The thumbnail is in the file's meta, for Golden Retriever. */
function showThumbnails(uppy: PhotoUppy): void {
  const show = (id: string, thumbnail: string, preview = thumbnail) => {
    if (!uppy.getFile(id)) return;
    uppy.setFileMeta(id, { thumbnail });
    uppy.setFileState(id, { preview });
  };
  const make = ({ id, data }: PhotoFile) => {
    if (!(data instanceof Blob)) return;
    makePreviews(data).then(
      ({ thumbnail, preview }) => show(id, thumbnail, preview),
      () => {}, // This browser cannot decode it: the file's icon stays.
    );
  };
  uppy.on('file-added', make).on('file-editor:complete', make);
  uppy.on('restored', () => {
    for (const file of uppy.getFiles()) {
      const { thumbnail } = file.meta;
      if (typeof thumbnail === 'string') show(file.id, thumbnail);
      make(file);
    }
  });
}

/** A vendor's link to a preview may have expired: the file's icon replaces it. */
function hideBrokenPreviews(uppy: PhotoUppy): void {
  const check = ({ id, isRemote }: PhotoFile) => {
    const { preview } = uppy.getFile(id);
    if (!isRemote || !preview) return;
    loadImage(preview).catch(() => uppy.getFile(id) && uppy.setFileState(id, { preview: '' }));
  };
  uppy.on('file-added', check).on('restored', () => uppy.getFiles().forEach(check));
}

/** Saving an edit creates a new file without metadata, so it is read from the chosen one. */
function readMetadata(uppy: PhotoUppy): void {
  const read = async ({ id, data, type, meta }: PhotoFile) => {
    if (!(data instanceof Blob) || 'takenAt' in meta) return;
    const facts = await readPhotoFacts(data, type);
    if (uppy.getFile(id)) uppy.setFileMeta(id, { ...facts });
  };
  // A file that is gone fails at its upload, with a message.
  const start = (file: PhotoFile) => void read(file).catch(() => {});
  uppy.on('file-added', start).on('restored', () => uppy.getFiles().forEach(start));
}

/** Uploads the photo that was chosen in the form. */
export async function uploadGivenPhoto(uppy: PhotoUppy, photo: File, signal: AbortSignal): Promise<void> {
  const { name, type } = photo;
  // Before the upload, which tells the memory's date at its end. A file that is gone fails with a message.
  const facts = await readPhotoFacts(photo, type).catch(() => ({}));
  if (signal.aborted) return;
  uppy.addFile({ name, type, data: photo, source: 'Dashboard', meta: { ...facts } });
  await uppy.upload();
}

/** Golden Retriever has no option to store without restoring. It restores after a while, perhaps during the upload. */
function ignoreRestored(uppy: PhotoUppy): void {
  let before = uppy.getState();
  uppy.on('state-update', (previous, _next, patch) => {
    if (patch && 'files' in patch && 'recoveredState' in patch) before = previous;
  });
  uppy.on('restored', () => {
    const { files, currentUploads } = before;
    uppy.setState({ files, currentUploads, recoveredState: null });
  });
}

/** Drops the stored upload URL: it belongs to the removed photo or to the unedited version. */
function forgetReplacedPhotos(uppy: PhotoUppy, session: UploadSession): void {
  const forget = () => session.storeUploadURL(null);
  uppy.on('file-removed', forget).on('file-editor:complete', forget);
}
