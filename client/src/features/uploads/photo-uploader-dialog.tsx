import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import type { PhotoUploaderProps } from './photo-uploader.tsx';
import { uploaderCode } from './uploader-code.ts';
import { STAGE_TEXTS, type UploaderStage } from './uploader-stage.ts';

interface PhotoUploaderDialogProps extends Omit<PhotoUploaderProps, 'onStage'> {
  isOpen: boolean;
}

export function PhotoUploaderDialog({ isOpen, ...uploader }: PhotoUploaderDialogProps) {
  const [stage, setStage] = useState<UploaderStage>('choosing');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={uploader.onCancel}
      {...STAGE_TEXTS[stage]}
      className="sm:max-w-[814px]"
      isBusy
    >
      <div className="mt-5 min-h-[min(550px,100dvh-14rem)]">
        <FetchedUploader {...uploader} onStage={setStage} />
      </div>
    </Dialog>
  );
}

function FetchedUploader(uploader: PhotoUploaderProps) {
  const { data: PhotoUploader, isError, refetch } = useQuery(uploaderCode);
  if (PhotoUploader) return <PhotoUploader {...uploader} />;
  if (!isError) return <LoadingScreen />;
  return (
    <FailureNotice onRetry={() => void refetch()}>
      The uploader could not be loaded. What you wrote is kept; please check your connection and try again.
    </FailureNotice>
  );
}
