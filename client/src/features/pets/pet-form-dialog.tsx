import { useRef, useState, type DragEvent, type RefObject } from 'react';
import type { Pet } from '#shared/album/pet';
import { ApiError, serverMessage } from '../../lib/api/api-client.ts';
import { bindFields } from '../../lib/form-fields.ts';
import { IdempotencyKey } from '../../lib/api/idempotency-key.ts';
import { speciesNames } from './species.ts';
import { DialogForm } from '../../ui/dialogs/dialog-form.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { RestoredDraftNotice, showDraftSaved } from '../drafts/form-drafts.tsx';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { PET_NOT_SAVED, PET_SAVED, useCreatePet, useUpdatePet } from './pet-api.ts';
import { toPetFormData, usePetForm, type PetForm, type PetValues } from './pet-form.ts';
import { chooseProfilePicture, ProfilePictureField, type PictureReading } from './profile-picture-field.tsx';

interface PetFormDialogProps {
  pet: Pet | null;
  isOpen: boolean;
  onClose: () => void;
}

/** Closing saves a draft; Cancel discards it. */
export function PetFormDialog({ pet, isOpen, onClose }: PetFormDialogProps) {
  const { form, isRestored, onLeave, discard } = usePetForm(pet);
  const { isDirty, isSubmitting } = form.formState;
  const finish = () => {
    discard();
    onClose();
  };
  const readingRef = useRef<PictureReading>(null);
  const save = useSavePet(pet, form, readingRef, finish);
  const close = () => {
    if (isSubmitting) return;
    onLeave();
    if (isDirty) showDraftSaved();
    onClose();
  };
  const drop = (event: DragEvent) => {
    // By default the browser navigates to the file.
    event.preventDefault();
    chooseProfilePicture(form, event.dataTransfer.files[0]);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={pet ? 'Edit Pet' : 'Add New Pet'}
      {...(!pet && { description: 'A name and a species are enough. The rest can wait.' })}
      className="sm:max-w-3xl"
      isBusy={isDirty || isSubmitting}
    >
      <DialogForm
        form={form}
        {...save}
        errorToast={pet ? [PET_NOT_SAVED, ''] : ['Failed to add pet', 'Failed to create pet']}
        action={pet ? 'Save Changes' : 'Add Pet'}
        onCancel={finish}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        className="mt-6"
      >
        {isRestored && <RestoredDraftNotice />}
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <ProfilePictureField form={form} pet={pet} readingRef={readingRef} />
          <PetTextFields form={form} />
        </div>
      </DialogForm>
    </Dialog>
  );
}

/** @returns what the form does with its values and with errors, and what it says meanwhile */
function useSavePet(
  pet: Pet | null,
  form: PetForm,
  readingRef: RefObject<PictureReading>,
  onSaved: () => void,
) {
  const { mutateAsync: create } = useCreatePet();
  const { mutateAsync: update } = useUpdatePet();
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  const [isPreparing, setPreparing] = useState(false);
  const onSubmit = async (values: PetValues) => {
    // A crop that came after the first try would give the second one another key. Another picture may be chosen meanwhile.
    for (let read: PictureReading = null; read !== readingRef.current;) {
      read = readingRef.current;
      setPreparing(true);
      await read;
    }
    setPreparing(false);
    const { profileImage, profileImageCrop } = form.getValues();
    const data = toPetFormData({ ...values, profileImage, profileImageCrop }, pet);
    if (pet && [...data].length === 0) return onSaved();
    if (pet) await update({ id: pet.id, form: data });
    else await create({ form: data, idempotencyKey: idempotencyKey.for(data) });
    idempotencyKey.reset();
    showSuccess(pet ? PET_SAVED : 'Pet added successfully!');
    onSaved();
  };
  const onError = (error: unknown) => {
    if (isPictureError(error) && form.getValues('profileImage') instanceof File) {
      const message = serverMessage(error) ?? 'Please choose another picture';
      form.setError('profileImage', { message }, { shouldFocus: true });
    }
    // The crop is of a picture that is gone.
    if (error instanceof ApiError && error.status === 409 && form.getValues('profileImage') === 'unchanged')
      form.setValue('profileImageCrop', null);
    return false;
  };
  const pendingText = isPreparing ? 'Preparing the picture...' : pet ? 'Saving...' : 'Adding...';
  return { onSubmit, onError, pendingText };
}

function isPictureError(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || error.status === 415);
}

const speciesOptions = Object.entries(speciesNames).map(([value, name]) => ({ value, name }));

function PetTextFields({ form }: { form: PetForm }) {
  const field = bindFields(form);
  const text = (name: Exclude<keyof PetValues, 'profileImage' | 'profileImageCrop'>) => ({
    ...field(name),
    dir: 'auto' as const,
    autoComplete: 'off',
  });
  return (
    <div className="grid grid-cols-2 content-start items-start gap-x-4 gap-y-5">
      <TextField label="Name" aria-required autoCapitalize="words" className={wide} {...text('name')} />
      <SelectField
        label="Species"
        aria-required
        placeholder="Select a species"
        options={speciesOptions}
        className={wide}
        {...text('species')}
      />
      <TextField label="Breed" autoCapitalize="words" className={wide} {...text('breed')} />
      <TextField
        label="Birthday or gotcha day"
        type="date"
        max="9999-12-31"
        className={wide}
        {...text('birthdayOrGotchaDay')}
      />
      <TextField label="Age" placeholder="e.g., 2 years" {...text('age')} />
      <TextField label="Weight" placeholder="e.g., 15 lbs" {...text('weight')} />
      <TextAreaField
        label="Description"
        rows={4}
        placeholder="What makes them who they are?"
        className="col-span-2"
        {...text('description')}
      />
    </div>
  );
}

const wide = 'col-span-2 sm:col-span-1';
