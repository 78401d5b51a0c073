import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import type { PhotoUploaderProps } from './photo-uploader.tsx';
import { uploaderCode } from './uploader-code.ts';

interface PhotoUploaderDialogProps extends PhotoUploaderProps {
  isOpen: boolean;
  returnFocusTo: React.RefObject<HTMLElement | null>;
}

export function PhotoUploaderDialog({ isOpen, returnFocusTo, ...uploader }: PhotoUploaderDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={uploader.onCancel}
      title="Choose the photo"
      description="One photo of up to 10 MB."
      className="sm:max-w-[814px]"
      isBusy
      returnFocusTo={returnFocusTo}
    >
      <div className="mt-5 min-h-[min(550px,100dvh-14rem)]">
        <FetchedUploader {...uploader} />
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
