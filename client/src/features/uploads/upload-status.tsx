import { useId, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Spinner } from '../../ui/loading/spinner.tsx';
import { isSignInExpired, toUploadErrorDetails, toUploadErrorMessage } from './upload-error.ts';
import { failedStep, type UploadState } from './upload-state.ts';

const WAITING = { offline: 'Waiting for the network', retry: 'No response yet. Trying again...' };

interface UploadStatusProps {
  upload: UploadState;
  onRetry: (error: unknown) => void;
}

/** Replaces Uppy's status bar while no bytes are sent. */
export function UploadStatus({ upload, onRetry }: UploadStatusProps) {
  const message = progressMessage(upload);
  if (upload.name !== 'failed' && !message) return null;
  return (
    <div className="absolute inset-x-0 bottom-0 flex min-h-14 items-center gap-3 border-t-2 border-hairline text-small">
      {message && (
        <p role="status" className="flex items-center gap-3 font-semibold">
          <span className="text-accent">
            <Spinner />
          </span>
          {message}
        </p>
      )}
      {upload.name === 'failed' && (
        <>
          <p className="grow font-semibold text-danger">Upload failed</p>
          {/* The focused button has just disappeared. */}
          <Button
            autoFocus
            aria-label={isSignInExpired(upload.error) ? 'Sign in and retry upload' : 'Retry upload'}
            onClick={() => onRetry(upload.error)}
          >
            {isSignInExpired(upload.error) ? 'Sign in' : 'Retry'}
          </Button>
        </>
      )}
    </div>
  );
}

function progressMessage(upload: UploadState): string | null {
  if (upload.name !== 'uploading' && upload.name !== 'finishing') return null;
  if (upload.waiting) return WAITING[upload.waiting];
  return upload.name === 'finishing' ? 'Saving your memory...' : null;
}

/** Below the uploader. Always in the page, so that a screen reader announces what is added. */
export function UploadErrorMessage({ upload }: { upload: UploadState }) {
  const id = useId();
  const [shown, setShown] = useState<UploadState | null>(null);
  const isOpen = upload.name === 'failed' && shown === upload;
  return (
    <div className="min-h-12 pt-2 text-small sm:min-h-7">
      <p role="alert" className="inline text-danger">
        {upload.name === 'failed' && toUploadErrorMessage(upload.error)}
      </p>{' '}
      {upload.name === 'failed' && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setShown(isOpen ? null : upload)}
          // A touch target of 44 px, without changing the line height.
          className="-my-3 inline-block py-3 font-semibold underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
        >
          {isOpen ? 'Hide error details' : 'Show error details'}
        </button>
      )}
      <p id={id} role="status" className="text-muted">
        {isOpen && toUploadErrorDetails(failedStep(upload), upload.error)}
      </p>
    </div>
  );
}
