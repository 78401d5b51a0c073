import { useState } from 'react';
import type { Pet } from '#shared/pet';
import { ApiError, serverMessage } from '../../lib/api-client.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { showToast } from '../../ui/toast-store.ts';
import { PET_SAVED, useCreatePet, useUpdatePet } from './pet-api.ts';
import { toPetFormData, type PetForm, type PetValues } from './pet-form.ts';

/** @returns what the `<Form>` does with its values, and with errors */
export function useSavePet(pet: Pet | null, form: PetForm, onSaved: () => void) {
  const { mutateAsync: create } = useCreatePet();
  const { mutateAsync: update } = useUpdatePet();
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  const onSubmit = async (values: PetValues) => {
    const data = toPetFormData(values, pet);
    if (pet && [...data].length === 0) return onSaved();
    if (pet) await update({ id: pet.id, form: data });
    else await create({ form: data, idempotencyKey: idempotencyKey.for(data) });
    idempotencyKey.reset();
    showToast({ title: pet ? PET_SAVED : 'Pet added successfully!', variant: 'success' });
    onSaved();
  };
  const onError = (error: unknown) => {
    if (isPictureError(error) && form.getValues('profileImage') instanceof File) {
      const message = serverMessage(error) ?? 'Please choose another picture';
      form.setError('profileImage', { message }, { shouldFocus: true });
    }
    return false;
  };
  return { onSubmit, onError };
}

function isPictureError(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || error.status === 415);
}
