import { useRef, useState, type RefObject } from 'react';
import { AddMemoryDialog } from '../features/memories/add-memory-dialog.tsx';
import { memoryDetails, useAddMemoryForm } from '../features/memories/add-memory-form.ts';
import { useCompleteUpload } from '../features/memories/memory-api.ts';
import { PhotoUploaderDialog } from '../features/uploads/photo-uploader-dialog.tsx';
import type { PhotoUploaderProps } from '../features/uploads/photo-uploader.tsx';
import { serverMessage } from '../lib/api-client.ts';
import { isLostSession } from '../lib/lost-session.ts';
import { showToast } from '../ui/toast-store.ts';

/** In 'made' the uploader still shows that it is complete; all the rest is over. */
export type AddMemoryStep = 'closed' | 'form' | 'photo' | 'made';

const FAILURES = {
  storage: { title: 'Upload Failed', description: 'Failed to upload image to storage' },
  memory: { title: 'Error', description: 'Failed to upload memory' },
};

interface AddMemoryProps {
  ownerId: string;
  step: AddMemoryStep;
  onStep: (step: AddMemoryStep) => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** From the words to the photo to the memory. The form keeps its values until a memory was made of them. */
export function AddMemory({ ownerId, step, onStep, returnFocusTo }: AddMemoryProps) {
  const { form, isRestored } = useAddMemoryForm(ownerId, step !== 'closed');
  const [problem, setProblem] = useState<string | null>(null);
  const { mutateAsync: completeUpload } = useCompleteUpload();

  // The memory is being made: that cannot be called back, so leaving waits until it is known what became of it.
  const isMaking = useRef(false);
  const wantsToLeave = useRef(false);

  const createMemory: PhotoUploaderProps['onUploaded'] = async ({ uploadURL, takenAt }) => {
    const details = memoryDetails(form.getValues());
    isMaking.current = true;
    wantsToLeave.current = false;
    try {
      await completeUpload({ ...details, uploadURL, memoryDate: details.memoryDate || takenAt });
    } catch (error) {
      if (wantsToLeave.current) onStep('form');
      throw error;
    } finally {
      isMaking.current = false;
    }
    form.reset();
    onStep(wantsToLeave.current ? 'closed' : 'made');
    showToast({ title: 'Success!', description: 'Memory uploaded successfully! 🎉', variant: 'success' });
  };
  const leave = () => {
    if (isMaking.current) wantsToLeave.current = true;
    else onStep(step === 'made' ? 'closed' : 'form');
  };
  const showRefusal = (error: unknown) => {
    setProblem(serverMessage(error) ?? null);
    onStep('form');
    notify('memory', error);
  };

  return (
    <>
      <AddMemoryDialog
        isOpen={step === 'form'}
        onClose={() => {
          setProblem(null);
          onStep('closed');
        }}
        onUpload={() => {
          setProblem(null);
          onStep('photo');
        }}
        form={form}
        problem={problem}
        isRestored={isRestored}
        returnFocusTo={returnFocusTo}
      />
      <PhotoUploaderDialog
        isOpen={step === 'photo' || step === 'made'}
        ownerId={ownerId}
        onUploaded={createMemory}
        onRefused={showRefusal}
        onFailed={notify}
        onCancel={leave}
        onDone={() => onStep('closed')}
        returnFocusTo={returnFocusTo}
      />
    </>
  );
}

/** A lost session has its own notice. */
function notify(step: keyof typeof FAILURES, error: unknown) {
  if (!isLostSession(error)) showToast({ ...FAILURES[step], variant: 'destructive' });
}
