import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Pet } from '#shared/pet';
import { ApiError, serverMessage } from '../../lib/api-client.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { isLostSession } from '../../lib/lost-session.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useCreatePet, useUpdatePet } from './pet-api.ts';
import { PET_FIELDS, petFormData, type PetValues } from './pet-form.ts';

/** Sends the form, of a new pet or with the changes to one that is there, and says what became of it. */
export function useSavePet(pet: Pet | null, form: UseFormReturn<PetValues>, onSaved: () => void) {
  const { mutateAsync: create } = useCreatePet();
  const { mutateAsync: update } = useUpdatePet();
  const [idempotencyKey] = useState(() => new IdempotencyKey());

  const add = async (data: FormData) => {
    try {
      await create({ form: data, idempotencyKey: idempotencyKey.for(data) });
    } catch (error) {
      return showFailure(form, error, 'Failed to add pet', 'Failed to create pet');
    }
    idempotencyKey.forget();
    showToast({ title: 'Pet added successfully!', variant: 'success' });
    onSaved();
  };

  const change = async ({ id }: Pet, data: FormData) => {
    if ([...data].length === 0) return onSaved();
    try {
      await update({ id, form: data });
    } catch (error) {
      return showFailure(form, error, 'Failed to update pet');
    }
    showToast({ title: 'Pet updated successfully!', variant: 'success' });
    onSaved();
  };

  return form.handleSubmit((values) => {
    const data = petFormData(values, pet);
    return pet ? change(pet, data) : add(data);
  });
}

function showFailure(
  form: UseFormReturn<PetValues>,
  error: unknown,
  title: string,
  defaultDescription?: string,
): void {
  // A lost session has its own notice.
  if (isLostSession(error)) return;
  const description = serverMessage(error) ?? defaultDescription;
  showToast({ title, ...(description && { description }), variant: 'destructive' });
  showFieldErrors(error, PET_FIELDS, form.setError);
  if (isAboutPicture(error) && form.getValues('profileImage') instanceof File) {
    const message = serverMessage(error) ?? 'Please choose another picture';
    form.setError('profileImage', { message }, { shouldFocus: true });
  }
}

/** Too large, or no picture at all. */
function isAboutPicture(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || error.status === 415);
}
