import './uppy-theme.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { mendDashboard } from './mend-dashboard.ts';
import { leaveEditorByEscape } from './photo-editor.ts';
import { createPhotoUppy, type PhotoUppy, type UploaderSteps as UppySteps } from './photo-uppy.ts';
import type { UploadedPhoto } from './photo-upload.ts';
import { useCreateUpload } from './upload-api.ts';
import { detailFailure, explainFailure, type UploadStep } from './upload-failure.ts';
import { UploadProblem, type Problem } from './upload-problem.tsx';
import { claimUploadSession } from './upload-session-api.ts';
import { watchStage, type UploaderStage } from './uploader-stage.ts';

export interface PhotoUploaderProps {
  ownerId: string;
  /** The photo is in the store: makes something of it. Until the promise settles the uploader says that it is at work. */
  onUploaded: (photo: UploadedPhoto) => Promise<void>;
  /** The server will not have this photo: another is needed. */
  onRefused: (error: unknown) => void;
  /** Something failed that may succeed when it is tried again, which the uploader offers. */
  onFailed: (step: UploadStep, error: unknown) => void;
  onCancel: () => void;
  onDone: () => void;
  onStage: (stage: UploaderStage) => void;
}

/** Uppy's dashboard for one photo. One Uppy per mount, gone with it. */
export function PhotoUploader({ ownerId, ...props }: PhotoUploaderProps) {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { mutateAsync: createUpload } = useCreateUpload();
  const steps = useEffectEvent((): UploaderSteps => ({
    ...props,
    sign: (contentType, size) => createUpload({ contentType, size }),
    onTry: () => setProblem(null),
    onFailed: (step, error) => {
      setProblem({ words: explainFailure(error), details: detailFailure(step, error) });
      props.onFailed(step, error);
    },
  }));
  useEffect(() => startUploader(ownerId, place, () => steps()), [ownerId]);

  return (
    <>
      <div ref={place} className="photo-uploader" />
      <UploadProblem problem={problem} />
    </>
  );
}

interface UploaderSteps extends UppySteps {
  onTry: () => void;
  onStage: (stage: UploaderStage) => void;
  onCancel: () => void;
}

/** Waits for the session, then shows the uploader. @returns what ends both, whenever that is. */
function startUploader(
  ownerId: string,
  place: React.RefObject<HTMLElement | null>,
  steps: () => UploaderSteps,
): () => void {
  let hasEnded = false;
  let end = () => {};
  void claimUploadSession(ownerId).then((session) => {
    if (hasEnded || !place.current) return session.release();
    const uppy: PhotoUppy = createPhotoUppy(place.current, session, steps);
    const endMending = mendDashboard(place.current);
    const endEscape = leaveEditorByEscape(uppy);
    const onTry = () => steps().onTry();
    const onCancel = () => steps().onCancel();
    uppy.on('upload', onTry).on('file-removed', onTry).on('cancel-all', onCancel);
    const endStage = watchStage(uppy, (stage) => steps().onStage(stage));
    end = () => {
      // Destroying cancels too; only a person's cancelling is of interest.
      uppy.off('cancel-all', onCancel).off('file-removed', onTry);
      endStage();
      uppy.destroy();
      endMending();
      endEscape();
      session.release();
    };
  });
  return () => {
    hasEnded = true;
    end();
  };
}
