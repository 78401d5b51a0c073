import { lazy, Suspense } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import type { PhotoUploaderProps } from './photo-uploader.tsx';

/** Uppy is large, and only needed here. */
const PhotoUploader = lazy(async () => ({ default: (await import('./photo-uploader.tsx')).PhotoUploader }));

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
        <Suspense fallback={<LoadingScreen />}>
          <PhotoUploader {...uploader} />
        </Suspense>
      </div>
    </Dialog>
  );
}
