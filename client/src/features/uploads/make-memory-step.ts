import type Uppy from '@uppy/core';
import type { Body, Meta, UppyFile } from '@uppy/core';
import type { MemoryDate } from '#shared/calendar-date';
import { hasNotArrived, isRefusal } from './upload-failure.ts';
import type { UploadSession } from './upload-session-api.ts';

/** A photo in the store, ready to become something. */
export interface UploadedPhoto {
  uploadURL: string;
  /** When it was taken, if an edit took that from the file itself. */
  takenAt: MemoryDate | null;
}

interface MakeMemory {
  session: UploadSession;
  onUploaded: (photo: UploadedPhoto) => Promise<void>;
  /** The photo can't become anything: another one is needed. */
  onRefused: (error: unknown) => void;
  /** It may still become something: the uploader offers to try again. */
  onFailed: (file: UppyFile<Meta, Body>, error: unknown) => void;
}

const WAITING = { error: null, isPaused: false, isGhost: false };
const NOT_STARTED = {
  uploadStarted: null,
  uploadComplete: false,
  percentage: 0,
  bytesUploaded: false,
} as const;

type Progress = UppyFile<Meta, Body>['progress'];

/**
 * The last step of an upload: the stored photo becomes a memory. When only this fails, trying again repeats only this,
 * since Uppy never sends a file twice that has arrived.
 */
export function addMakeMemoryStep(uppy: Uppy<Meta, Body>, { session, ...on }: MakeMemory): void {
  const made = new Set<string>();

  uppy.on('restored', () => {
    // Whatever it was cut off in, also after a failure: it waits for the person, and goes through all steps again.
    uppy.setState({ error: null, currentUploads: {} });
    for (const file of uppy.getFiles()) {
      // Its photo is gone: it has arrived, or could not be kept.
      const isGone = !(file.data instanceof Blob);
      if (isGone && !session.address()) uppy.removeFile(file.id);
      else uppy.setFileState(file.id, { ...WAITING, progress: { ...NOT_STARTED, bytesTotal: file.size } });
    }
  });

  uppy.addPreProcessor(async (ids) => {
    const file = onlyFile(ids);
    const address = session.address();
    if (!file?.isRestored || !address) return;
    // The photo may have arrived before its tab was closed, and even be a memory already. Asking is safe to do twice.
    uppy.emit('upload-start', [file]);
    uppy.emit('preprocess-progress', file, {
      mode: 'indeterminate',
      message: 'Picking up where it stopped...',
    });
    try {
      await on.onUploaded({ uploadURL: address, takenAt: takenAtOf(file) });
      made.add(file.id);
      uppy.emit('upload-success', file, { status: 200, body: {}, uploadURL: address });
    } catch (error) {
      if (!uppy.getFile(file.id)) return;
      // Not knowing is a failure, or there might be two memories.
      if (!hasNotArrived(error)) on.onFailed(file, error);
      else if (file.data instanceof Blob) uppy.setFileState(file.id, { isRestored: false });
      else return on.onRefused(error);
    }
    uppy.emit('preprocess-complete', file);
  });

  uppy.addPostProcessor(async (ids) => {
    const file = onlyFile(ids);
    if (!file || file.error || !file.progress.uploadComplete || made.has(file.id)) return;
    setProgress(file, { preprocess: undefined });
    uppy.emit('postprocess-progress', file, { mode: 'indeterminate', message: 'Keeping your memory...' });
    try {
      await on.onUploaded({ uploadURL: file.uploadURL ?? session.address() ?? '', takenAt: takenAtOf(file) });
      made.add(file.id);
    } catch (error) {
      if (!uppy.getFile(file.id)) return;
      if (isRefusal(error)) return on.onRefused(error);
      // A photo that has arrived is complete to Uppy, and what is complete cannot be tried again: this one is not.
      setProgress(file, { postprocess: undefined, preprocess: { mode: 'indeterminate', message: '' } });
      on.onFailed(file, error);
    }
  });

  function onlyFile(ids: string[]): UppyFile<Meta, Body> | undefined {
    return ids[0] === undefined ? undefined : uppy.getFile(ids[0]);
  }

  function setProgress(
    { id }: UppyFile<Meta, Body>,
    change: {
      preprocess?: Progress['preprocess'] | undefined;
      postprocess?: Progress['postprocess'] | undefined;
    },
  ): void {
    uppy.setFileState(id, { progress: { ...uppy.getFile(id).progress, ...change } as Progress });
  }
}

function takenAtOf(file: UppyFile<Meta, Body>): MemoryDate | null {
  const { takenAt } = file.meta;
  return typeof takenAt === 'string' ? takenAt : null;
}
