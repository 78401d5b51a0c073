import './uppy-theme.css';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Upload, type CreateUploadRequest } from '#shared/upload';
import { apiPost } from '../../lib/api-client.ts';
import { isEditing, patchUppyDashboard } from './patch-uppy-dashboard.ts';
import type { UploadSteps } from './photo-upload.ts';
import { createPhotoUppy, type PhotoUppy } from './uppy-dashboard.ts';
import { claimUploadSession } from './upload-session.ts';
import { IDLE, type UploadState } from './upload-state.ts';
import { UploadErrorMessage, UploadStatus } from './upload-status.tsx';

/** Uppy's screens before an upload. */
type ShownByUppy = 'choosing' | 'chosen' | 'editing';
export type UploaderStage = ShownByUppy | Exclude<UploadState['name'], 'idle'>;

export interface PhotoUploaderProps extends Pick<UploadSteps, 'onUploaded' | 'onRejected' | 'onFailed'> {
  ownerId: string;
  onCancel: () => void;
  onDone: () => void;
  onStage: (stage: UploaderStage) => void;
}

/** Uppy's dashboard for one photo. Creates one Uppy per mount. */
export function PhotoUploader({ ownerId, ...props }: PhotoUploaderProps) {
  const container = useRef<HTMLDivElement>(null);
  const retry = useRef(() => {});
  const [upload, setUpload] = useState<UploadState>(IDLE);
  const [shown, setShown] = useState<ShownByUppy>('choosing');
  const stage = upload.name === 'idle' || shown !== 'chosen' ? shown : upload.name;
  const { mutateAsync: createUpload } = useMutation({
    mutationFn: (request: CreateUploadRequest) => apiPost('/api/objects/upload', request, Upload),
  });
  const handlers = useEffectEvent((): Handlers => ({
    ...props,
    sign: (contentType, size) => createUpload({ contentType, size }),
    onState: setUpload,
    onShown: setShown,
  }));
  useEffect(() => startUploader(ownerId, container, retry, () => handlers()), [ownerId]);
  const tellStage = useEffectEvent(() => props.onStage(stage));
  useEffect(() => void tellStage(), [stage]);

  return (
    <>
      <div className="relative">
        <div ref={container} className="photo-uploader" data-upload={upload.name} />
        <UploadStatus upload={upload} onRetry={() => retry.current()} />
      </div>
      <UploadErrorMessage upload={upload} />
    </>
  );
}

interface Handlers extends UploadSteps, Pick<PhotoUploaderProps, 'onCancel' | 'onDone'> {
  onShown: (shown: ShownByUppy) => void;
}

/** Creates Uppy when the session is locked. @returns the cleanup, which may be called before that */
function startUploader(
  ownerId: string,
  container: React.RefObject<HTMLElement | null>,
  retry: React.RefObject<() => void>,
  handlers: () => Handlers,
): () => void {
  let hasEnded = false;
  let end = () => {};
  void claimUploadSession(ownerId).then((session) => {
    if (hasEnded || !container.current) return session.release();
    const [uppy, retryUpload] = createPhotoUppy(container.current, session, handlers);
    retry.current = retryUpload;
    const unpatch = patchUppyDashboard(container.current, uppy);
    const onCancel = () => handlers().onCancel();
    uppy.on('cancel-all', onCancel);
    uppy.on('state-update', () => handlers().onShown(shownBy(uppy)));
    end = () => {
      // `destroy` also emits cancel-all, but the user did not cancel.
      uppy.off('cancel-all', onCancel);
      uppy.destroy();
      unpatch();
      session.release();
    };
  });
  return () => {
    hasEnded = true;
    end();
  };
}

function shownBy(uppy: PhotoUppy): ShownByUppy {
  if (uppy.getFiles().length === 0) return 'choosing';
  return isEditing(uppy) ? 'editing' : 'chosen';
}
