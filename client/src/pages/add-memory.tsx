import type { RefObject } from 'react';
import { AddMemoryDialog } from '../features/memories/add-memory-dialog.tsx';
import { useAddMemoryForm } from '../features/memories/add-memory-form.ts';
import { useCompleteUpload } from '../features/memories/memory-api.ts';
import { PhotoUploaderDialog } from '../features/uploads/photo-uploader-dialog.tsx';
import { isLostSession } from '../lib/lost-session.ts';
import { showToast } from '../ui/toast-store.ts';

export type AddMemoryStep = 'closed' | 'form' | 'photo';

interface AddMemoryProps {
  step: AddMemoryStep;
  onStep: (step: AddMemoryStep) => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** From the words to the photo to the memory. The form keeps its values until a memory was made of them. */
export function AddMemory({ step, onStep, returnFocusTo }: AddMemoryProps) {
  const form = useAddMemoryForm();
  const { mutateAsync: completeUpload } = useCompleteUpload();

  const createMemory = async (uploadURL: string) => {
    try {
      await completeUpload({ uploadURL, ...form.getValues() });
      form.reset();
      onStep('closed');
      showToast({ title: 'Success!', description: 'Memory uploaded successfully! 🎉', variant: 'success' });
    } catch (error) {
      onStep('form');
      notify(error, { title: 'Error', description: 'Failed to upload memory' });
    }
  };

  return (
    <>
      <AddMemoryDialog
        isOpen={step === 'form'}
        onClose={() => onStep('closed')}
        onUpload={() => onStep('photo')}
        form={form}
        returnFocusTo={returnFocusTo}
      />
      <PhotoUploaderDialog
        isOpen={step === 'photo'}
        onUploaded={createMemory}
        onUploadError={(error) =>
          notify(error, { title: 'Upload Failed', description: 'Failed to upload image to storage' })
        }
        onCancel={() => onStep('form')}
        returnFocusTo={returnFocusTo}
      />
    </>
  );
}

/** A lost session has its own notice. */
function notify(error: unknown, notice: { title: string; description: string }) {
  if (!isLostSession(error)) showToast({ ...notice, variant: 'destructive' });
}
