import { NOTICE_MS, type PhotoFile, type PhotoUppy } from './one-photo.ts';
import { canSend } from './send-photo.ts';
import type { UploadSession } from './upload-session.ts';
import type { UploadState } from './upload-state.ts';

type Progress = PhotoFile['progress'];

const NOT_STARTED = {
  uploadStarted: null,
  uploadComplete: false,
  percentage: 0,
  bytesUploaded: false,
} as const;

/** Uppy shows the progress of bytes. In other states `UploadStatus` replaces its status bar. */
export function showInUppy(uppy: PhotoUppy, state: UploadState): void {
  const [file] = uppy.getFiles();
  if (!file) return;
  if (state.name === 'uploading' && !state.waiting) {
    uppy.emit('upload-start', [file]);
    uppy.emit('upload-progress', file, {
      uploadStarted: Date.now(),
      bytesUploaded: 0,
      bytesTotal: file.size,
    });
  } else if (state.name === 'done') {
    // Only now: once Uppy counts a photo as uploaded, Golden Retriever deletes it. Uppy ignores uploads without a start time.
    setProgress(uppy, file.id, { uploadStarted: Date.now() });
    uppy.emit('upload-success', uppy.getFile(file.id), { status: 200, body: {} });
  } else setProgress(uppy, file.id, {});
}

/** A restored upload waits for the person, whichever step it was in. */
export function resetRestored(uppy: PhotoUppy, session: UploadSession): void {
  // The photo that was chosen in the form has taken their place.
  if (uppy.getFiles().some(({ isRestored }) => !isRestored)) return;
  uppy.setState({ currentUploads: {} });
  for (const file of uppy.getFiles()) {
    if (file.id === session.finishedPhotoId()) {
      uppy.removeFile(file.id);
      uppy.setState({ info: [] });
      continue;
    }
    // The browser could not store it, or it is a memory already.
    const isMissing = !canSend(file);
    if (isMissing && !session.storedUploadURL()) {
      uppy.removeFile(file.id);
      uppy.info(uppy.i18n('recoveredXFiles', { smart_count: 1 }), 'info', NOTICE_MS);
    } else {
      uppy.setFileState(file.id, { isPaused: false, isGhost: false });
      setProgress(uppy, file.id, {});
    }
  }
}

function setProgress(uppy: PhotoUppy, id: string, progress: Partial<Progress>): void {
  const { size } = uppy.getFile(id);
  uppy.setFileState(id, { progress: { ...NOT_STARTED, bytesTotal: size, ...progress } as Progress });
}
