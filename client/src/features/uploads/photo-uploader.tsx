import './uppy/uppy-theme.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { LinkedPhoto, REMOTE_PATH } from '#shared/transfers/remote-source';
import { Upload, type CreateUploadRequest } from '#shared/transfers/upload';
import { apiPost } from '../../lib/api/api-client.ts';
import { userQuery } from '../users/current-user.ts';
import { canEdit, isEditing, patchUppyDashboard } from './uppy/patch-uppy-dashboard.ts';
import type { UploadSteps } from './photo-upload.ts';
import type { PhotoUppy } from './one-photo.ts';
import { createPhotoUppy, uploadGivenPhoto } from './uppy-dashboard.ts';
import type { InstallRemoteSource, RemoteSourceHandlers } from './remote/remote-sources.ts';
import { signInAgain } from './remote/sign-in-again.ts';
import { isSignInExpired } from './upload-error.ts';
import { claimUploadSession } from './upload-session.ts';
import { IDLE, type UploadState } from './upload-state.ts';
import { UploadErrorMessage, UploadStatus } from './upload-status.tsx';

/** Uppy's screens before an upload. */
type ShownByUppy = 'choosing' | 'chosen' | 'chosen-editable' | 'editing';
export type UploaderStage = ShownByUppy | Exclude<UploadState['name'], 'idle'>;

export interface PhotoUploaderProps extends Pick<UploadSteps, 'onUploaded' | 'onRejected'> {
  ownerId: string;
  /** Chosen before: uploaded at once. */
  photo?: File | null;
  /** Sources of photos besides the device. */
  remoteSources?: InstallRemoteSource[];
  onCancel: () => void;
  onDone: () => void;
  onStage: (stage: UploaderStage) => void;
}

const NO_SOURCES: InstallRemoteSource[] = [];

/** Uppy's dashboard for one photo. Creates one Uppy per mount. */
export function PhotoUploader({
  ownerId,
  photo: givenPhoto = null,
  remoteSources = NO_SOURCES,
  ...props
}: PhotoUploaderProps) {
  const container = useRef<HTMLDivElement>(null);
  const retry = useRef((_error: unknown) => {});
  const [upload, setUpload] = useState<UploadState>(IDLE);
  const [shown, setShown] = useState<ShownByUppy>('choosing');
  // It stays while the dialog closes.
  const [photo] = useState(givenPhoto);
  const [isPhotoAwaited, setPhotoAwaited] = useState(photo !== null);
  const [rejection, setRejection] = useState('');
  const isChosen = shown === 'chosen' || shown === 'chosen-editable';
  const stage = isPhotoAwaited ? 'uploading' : upload.name === 'idle' || !isChosen ? shown : upload.name;
  const { mutateAsync: createUpload } = useMutation({
    mutationFn: (request: CreateUploadRequest) => apiPost('/api/objects/upload', request, Upload),
  });
  const { mutateAsync: findPhoto } = useMutation({
    mutationFn: ({ url, signal }: { url: string; signal: AbortSignal }) =>
      apiPost(`${REMOTE_PATH}/url/meta`, { url }, LinkedPhoto, {}, signal),
  });
  const handlers = useEffectEvent((): Handlers => ({
    ...props,
    sign: createUpload,
    findPhoto: (url, signal) => findPhoto({ url, signal }),
    onState: setUpload,
    onShown: setShown,
    onRejection: setRejection,
    onPhotoStarted: () => setPhotoAwaited(false),
  }));
  const queryClient = useQueryClient();
  useEffect(() => {
    const isSignedOut = () => queryClient.getQueryData(userQuery.queryKey) === null;
    return startUploader(ownerId, container, retry, () => handlers(), remoteSources, isSignedOut, photo);
  }, [ownerId, remoteSources, queryClient, photo]);
  const tellStage = useEffectEvent(() => props.onStage(stage));
  useEffect(() => void tellStage(), [stage]);

  return (
    <>
      <div className="relative">
        <div
          ref={container}
          className="photo-uploader"
          data-upload={isPhotoAwaited ? 'uploading' : upload.name}
          {...(isPhotoAwaited && { 'data-awaiting': '' })}
          {...(rejection && { 'data-rejected': '' })}
        />
        <UploadStatus upload={upload} onRetry={(error) => retry.current(error)} />
        {/* There before its text, so that a screen reader announces it. */}
        {stage === 'choosing' && (
          <p
            role="alert"
            className="pointer-events-none absolute inset-x-6 bottom-6 text-center font-semibold text-balance text-danger"
          >
            {rejection}
          </p>
        )}
      </div>
      <UploadErrorMessage upload={upload} />
    </>
  );
}

interface Handlers
  extends UploadSteps, RemoteSourceHandlers, Pick<PhotoUploaderProps, 'onCancel' | 'onDone'> {
  onShown: (shown: ShownByUppy) => void;
  /** Why a file was rejected; empty once another one was chosen. */
  onRejection: (reason: string) => void;
  /** The upload of a given photo has started, or failed to. */
  onPhotoStarted: () => void;
}

/** Creates Uppy when the session is locked. @returns the cleanup, which may be called before that */
function startUploader(
  ownerId: string,
  container: React.RefObject<HTMLElement | null>,
  retry: React.RefObject<(error: unknown) => void>,
  handlers: () => Handlers,
  remoteSources: InstallRemoteSource[],
  isSignedOut: () => boolean,
  photo: File | null,
): () => void {
  const ending = new AbortController();
  let end = () => {};
  void claimUploadSession(ownerId).then((session) => {
    if (ending.signal.aborted || !container.current) return session.release();
    const [uppy, retryUpload] = createPhotoUppy(
      container.current,
      session,
      handlers,
      remoteSources,
      photo !== null,
    );
    retry.current = (error) => {
      if (!isSignInExpired(error)) return retryUpload();
      void signInAgain(uppy).then((isSignedIn) => isSignedIn && retryUpload());
    };
    const unpatch = patchUppyDashboard(container.current, uppy);
    const onCancel = () => handlers().onCancel();
    uppy.on('cancel-all', onCancel);
    uppy.on('restriction-failed', (_file, error) => {
      if (uppy.getFiles().length === 0) handlers().onRejection(error.message);
    });
    uppy.on('file-added', () => handlers().onRejection(''));
    uppy.on('state-update', () => handlers().onShown(shownBy(uppy)));
    if (photo) {
      uppy.on('upload', () => handlers().onPhotoStarted());
      // Uppy shows why.
      uploadGivenPhoto(uppy, photo, ending.signal).catch(() => handlers().onPhotoStarted());
    }
    end = () => {
      // `destroy` also emits cancel-all, but the user did not cancel.
      uppy.off('cancel-all', onCancel);
      // It removes the photo from Uppy, but a session that ended elsewhere leaves it in the browser for its owner.
      const stored = isSignedOut() && uppy.getPlugin('GoldenRetriever');
      if (stored) uppy.removePlugin(stored);
      uppy.destroy();
      unpatch();
      session.release();
    };
  });
  return () => {
    ending.abort();
    end();
  };
}

function shownBy(uppy: PhotoUppy): ShownByUppy {
  if (uppy.getFiles().length === 0) return 'choosing';
  if (isEditing(uppy)) return 'editing';
  return canEdit(uppy) ? 'chosen-editable' : 'chosen';
}
