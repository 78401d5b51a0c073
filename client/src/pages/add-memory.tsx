import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Memory } from '#shared/memory';
import { useAppConfig } from '../features/app-config/app-config-api.ts';
import { AddMemoryDialog } from '../features/memories/form/add-memory-dialog.tsx';
import {
  memoryDetails,
  useAddMemoryForm,
  useCreateMemory,
} from '../features/memories/form/add-memory-form.ts';
import { usePets } from '../features/pets/pet-api.ts';
import { PhotoUploaderDialog } from '../features/uploads/photo-uploader-dialog.tsx';
import type { PhotoUploaderProps } from '../features/uploads/photo-uploader.tsx';
import { serverMessage } from '../lib/api-client.ts';
import { paths } from '../lib/paths.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { showError } from '../ui/show-error.ts';
import { showToast } from '../ui/toast-store.ts';

/** In 'made' the uploader still shows that it is complete; all the rest is over. */
type AddMemoryStep = 'closed' | 'form' | 'photo' | 'made';

const UPLOADED = 'Memory uploaded successfully! 🎉';
const FAILURES = {
  storage: ['Upload Failed', 'Failed to upload image to storage'],
  memory: ['Error', 'Failed to upload memory'],
} as const;

/** Lets a screen add memories. */
export function useAddMemory(ownerId: string) {
  const [step, setStep] = useState<AddMemoryStep>('closed');
  const startAdding = () => setStep('form');
  return {
    startAdding,
    /** For a screen that has no memories to show yet. */
    firstPhotoButton: (
      <Button variant="secondary" onClick={startAdding}>
        Add your first photo
      </Button>
    ),
    addDialogs: <AddMemory ownerId={ownerId} step={step} onStep={setStep} />,
  };
}

interface AddMemoryProps {
  ownerId: string;
  step: AddMemoryStep;
  onStep: (step: AddMemoryStep) => void;
}

/** From the words to the photo to the memory. The form keeps its values until a memory was made of them. */
function AddMemory({ ownerId, step, onStep }: AddMemoryProps) {
  const { form, isRestored } = useAddMemoryForm(ownerId, step !== 'closed');
  const [problem, setProblem] = useState<string | null>(null);
  const { data: pets } = usePets();
  const createMemory = useCreateMemory();

  // The memory is being made: that cannot be called back, so leaving waits until it is known what became of it.
  const isMaking = useRef(false);
  const wantsToLeave = useRef(false);

  const makeMemory: PhotoUploaderProps['onUploaded'] = async ({ uploadURL, takenAt }) => {
    const details = memoryDetails(form.getValues(), pets);
    let memory: Memory;
    isMaking.current = true;
    wantsToLeave.current = false;
    try {
      memory = await createMemory({ ...details, uploadURL, memoryDate: details.memoryDate || takenAt });
    } catch (error) {
      if (wantsToLeave.current) onStep('form');
      throw error;
    } finally {
      isMaking.current = false;
    }
    form.reset();
    onStep('made');
    if (wantsToLeave.current) onStep('closed');
    showToast({
      title: 'Success!',
      description:
        details.petId && !memory.petId
          ? `${UPLOADED} Its pet has been deleted, so it was added without one.`
          : UPLOADED,
      variant: 'success',
    });
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
        otherWays={<OtherWaysLink />}
      />
      <PhotoUploaderDialog
        isOpen={step === 'photo' || step === 'made'}
        ownerId={ownerId}
        onUploaded={makeMemory}
        onRejected={showRefusal}
        onFailed={notify}
        onCancel={leave}
        onDone={() => onStep('closed')}
      />
    </>
  );
}

function notify(step: keyof typeof FAILURES, error: unknown) {
  const [title, text] = FAILURES[step];
  showError(error, title, text, { showsServerMessage: false });
}

/** The ways that need no form. Keeps its place until it is known which there are. */
function OtherWaysLink() {
  const { data: config, isPending } = useAppConfig();
  const ways = [config?.phoneNumber && 'text', config?.inboundEmailEnabled && 'email'].filter(Boolean);
  if (ways.length === 0) return isPending && <div className="h-11" />;
  return (
    <Link href={paths.phoneVerification} className={buttonClasses({ variant: 'quiet', className: 'w-full' })}>
      Add by {ways.join(' or ')}
    </Link>
  );
}
