import type { UploadStep } from './upload-error.ts';

export type WaitReason = 'offline' | 'retry';

/** uploading → finishing → done | failed. Uppy starts the upload and shows its progress. */
export type UploadState =
  | { name: 'idle' }
  | { name: 'uploading'; waiting: WaitReason | null }
  /** The photo is stored at the URL and is being made into a memory. */
  | { name: 'finishing'; uploadURL: string; waiting: WaitReason | null }
  | { name: 'done' }
  /** With a URL the photo is stored, so that 'Retry' only finishes. */
  | { name: 'failed'; uploadURL: string | null; error: unknown };

export type UploadEvent =
  /** 'Upload' or 'Retry', with the URL of a photo that was stored before. */
  | { type: 'started'; uploadURL: string | null }
  | { type: 'attempted' }
  | { type: 'waiting'; reason: WaitReason }
  | { type: 'stored'; uploadURL: string }
  /** The server has no photo at the URL of an earlier upload. */
  | { type: 'missing' }
  | { type: 'finished' }
  | { type: 'failed'; error: unknown }
  | { type: 'reset' };

export const IDLE: UploadState = { name: 'idle' };

export function uploadReducer(state: UploadState, event: UploadEvent): UploadState {
  if (event.type === 'reset') return IDLE;
  switch (state.name) {
    case 'idle':
    case 'failed':
      if (event.type !== 'started') return state;
      return event.uploadURL === null
        ? { name: 'uploading', waiting: null }
        : { name: 'finishing', uploadURL: event.uploadURL, waiting: null };
    case 'uploading':
      if (event.type === 'stored') return { name: 'finishing', uploadURL: event.uploadURL, waiting: null };
      if (event.type === 'failed') return { name: 'failed', uploadURL: null, error: event.error };
      return withWaiting(state, event);
    case 'finishing':
      if (event.type === 'finished') return { name: 'done' };
      if (event.type === 'missing') return { name: 'uploading', waiting: null };
      if (event.type === 'failed') return { name: 'failed', uploadURL: state.uploadURL, error: event.error };
      return withWaiting(state, event);
    case 'done':
      return state;
  }
}

function withWaiting<State extends UploadState>(state: State, event: UploadEvent): State {
  if (event.type === 'waiting') return { ...state, waiting: event.reason };
  return event.type === 'attempted' ? { ...state, waiting: null } : state;
}

export function failedStep({ uploadURL }: { uploadURL: string | null }): UploadStep {
  return uploadURL === null ? 'storage' : 'memory';
}
