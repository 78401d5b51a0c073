import { useEffect, useEffectEvent, useRef, useState, type ComponentProps } from 'react';
import { Link } from 'wouter';
import type { CompletedUpload } from '#shared/album/memory';
import { MAX_FILE_NAME_LENGTH } from '#shared/dates/date-source';
import { paths } from '../../../lib/routing/paths.ts';
import { Button, buttonClasses } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { showError } from '../../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../../ui/toasts/toast-store.ts';
import { useAppConfig } from '../../app-config/app-config-api.ts';
import { usePets } from '../../pets/pet-api.ts';
import { setLocalThumbnail } from '../../photos/photo.tsx';
import { PhotoUploaderDialog } from '../../uploads/photo-uploader-dialog.tsx';
import { setJustAdded } from '../print/just-added.ts';
import { MemoryDialog } from '../details/lazy-memory-dialog.tsx';
import type { NavigableList } from '../details/lightbox-navigation.ts';
import { useMemoryDialog } from '../details/use-memory-dialog.ts';
import { toMemoryDetails, useAddMemoryForm, useCreateMemory } from './use-add-memory-form.ts';
import { MemoryFields } from '../fields/memory-fields.tsx';
import type { AddMemoryStep } from './add-memory-step.ts';
import { NO_PHOTO, type ChosenPhoto } from './chosen-photo.ts';
import { PhotoArea } from './photo-area.tsx';
import { useSuggestedValues } from './use-suggested-values.ts';

const UPLOADED = 'Memory uploaded successfully! 🎉';
/** Long enough to read 'Complete'. */
const AUTO_CLOSE_MS = 1200;

interface AddMemoryProps {
  ownerId: string;
  /** The pet that the page is about; empty for none. */
  petId: string;
  photo: ChosenPhoto;
  onPhoto: (photo: ChosenPhoto) => void;
  step: AddMemoryStep;
  onStep: (step: AddMemoryStep) => void;
}

/** First the form, then the uploader. The form keeps its values and its photo until the memory has been created. */
export function AddMemory({ ownerId, petId, photo, onPhoto, step, onStep }: AddMemoryProps) {
  const suggestions = useSuggestedValues(petId, photo.file);
  const { form, isRestored, isPhotoLost, reset, readValues } = useAddMemoryForm(
    ownerId,
    step,
    photo.file !== null,
    suggestions,
  );
  const [error, setError] = useState<string | null>(null);
  const { data: pets } = usePets();
  const createMemory = useCreateMemory();
  const [duplicateId, setDuplicateId] = useState<string>();
  const { actions, dialog } = useMemoryDialog(listOfOne(duplicateId));

  // Creating the memory cannot be canceled, so closing is delayed until the result is known.
  const isCreating = useRef(false);
  const shouldClose = useRef(false);
  const createdId = useRef<string | null>(null);

  const create: ComponentProps<typeof PhotoUploaderDialog>['onUploaded'] = async ({
    uploadURL,
    takenAt: exifDate,
    fileName,
    thumbnail,
  }) => {
    const { values, isUndated } = readValues();
    const details = toMemoryDetails(values, pets);
    let memory: CompletedUpload;
    isCreating.current = true;
    shouldClose.current = false;
    try {
      memory = await createMemory({
        ...details,
        isUndated,
        uploadURL,
        exifDate,
        fileName: fileName.slice(-MAX_FILE_NAME_LENGTH),
      });
    } catch (error) {
      if (shouldClose.current) onStep('form');
      throw error;
    } finally {
      isCreating.current = false;
    }
    if (thumbnail !== null) setLocalThumbnail(memory.imageUrl, thumbnail);
    reset();
    onPhoto(NO_PHOTO);
    createdId.current = memory.id;
    onStep(shouldClose.current ? 'closed' : 'created');
    showAddedToast(memory, details, () => {
      setDuplicateId(memory.id);
      actions.open(memory, document.body);
    });
  };
  const finish = () => {
    setJustAdded(createdId.current);
    onStep('closed');
  };
  const autoClose = useEffectEvent(finish);
  useEffect(() => {
    if (step !== 'created') return undefined;
    const timer = setTimeout(() => autoClose(), AUTO_CLOSE_MS);
    return () => clearTimeout(timer);
  }, [step]);
  const closeUploader = () => {
    if (isCreating.current) shouldClose.current = true;
    else if (step === 'created') finish();
    else onStep('form');
  };
  const goTo = (step: AddMemoryStep) => {
    setError(null);
    onStep(step);
  };

  return (
    <>
      <Dialog
        isOpen={step === 'form'}
        onClose={() => goTo('closed')}
        title="Add New Mems"
        description="A photo, and a few words if you like."
        className="sm:max-w-lg md:max-w-4xl"
      >
        {error && (
          <p role="alert" className="mt-5 border-l-2 border-danger pl-4">
            {error}
          </p>
        )}
        {isRestored && (
          <p role="status" className="mt-5 border-l-2 border-sage pl-4 text-small">
            <strong className="block">Session restored</strong>
            {isPhotoLost
              ? 'Your text is back. Please choose the photo again.'
              : 'Your text is still here. You can pick up where you left off.'}
          </p>
        )}
        <div className="mt-6 grid gap-x-8 gap-y-5 md:grid-cols-2">
          <PhotoArea
            photo={photo}
            onPhoto={(photo) => {
              setError(null);
              onPhoto(photo);
            }}
            className="h-[clamp(6rem,17dvh,9rem)] md:h-full"
          />
          <div>
            <Form form={form} onSubmit={() => goTo('photo')} className="space-y-5">
              <MemoryFields form={form} />
              <Button type="submit" className="w-full">
                Upload Memory
              </Button>
            </Form>
            <div className="mt-2">
              <OtherWaysLink />
            </div>
          </div>
        </div>
      </Dialog>
      <PhotoUploaderDialog
        isOpen={step === 'photo' || step === 'created'}
        ownerId={ownerId}
        photo={photo.file}
        onUploaded={create}
        onRejected={(error, reason) => {
          setError(reason ?? null);
          onStep('form');
          showError(error, 'Error', 'Failed to upload memory', { showsServerMessage: false });
        }}
        onCancel={closeUploader}
        onDone={finish}
      />
      {dialog && <MemoryDialog {...dialog} />}
    </>
  );
}

/** A dialog without previous and next. */
function listOfOne(id: string | undefined): NavigableList {
  return { count: 1, at: (index) => (index === 0 ? id : undefined), errorAt: () => null, reveal: () => {} };
}

function showAddedToast(
  { before, petId }: CompletedUpload,
  details: ReturnType<typeof toMemoryDetails>,
  onShow: () => void,
): void {
  if (before === 'none') {
    const isPetGone = details.petId && !petId;
    const description = isPetGone
      ? `${UPLOADED} Its pet has been deleted, so it was added without one.`
      : UPLOADED;
    showSuccess('Success!', description);
    return;
  }
  const action = { name: 'Show it', onPress: onShow };
  if (before === 'trash') {
    showToast({ title: 'Back in your album', description: 'This photo was in Recently deleted.', action });
    return;
  }
  const hasDetails = Object.values(details).some(Boolean);
  showToast({
    title: 'This photo is already in your album',
    ...(hasDetails && { description: 'What you wrote was added where it had nothing yet.' }),
    action,
  });
}

/** Adding by text or email. While the config is loading its space is reserved. */
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
