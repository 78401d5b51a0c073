import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Pet } from '#shared/pet';
import { ApiError, serverMessage } from '../../lib/api-client.ts';
import { showFieldErrors } from '../../lib/form-fields.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useCreatePet, useUpdatePet } from './pet-api.ts';
import { toPetFormData, type PetValues } from './pet-form.ts';

export function useSavePet(pet: Pet | null, form: UseFormReturn<PetValues>, onSaved: () => void) {
  const { mutateAsync: create } = useCreatePet();
  const { mutateAsync: update } = useUpdatePet();
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  return form.handleSubmit(async (values) => {
    const data = toPetFormData(values, pet);
    if (pet && [...data].length === 0) return onSaved();
    try {
      if (pet) await update({ id: pet.id, form: data });
      else await create({ form: data, idempotencyKey: idempotencyKey.for(data) });
    } catch (error) {
      if (pet) showError(error, 'Failed to update pet');
      else showError(error, 'Failed to add pet', 'Failed to create pet');
      showFieldErrors(error, form);
      if (isPictureError(error) && form.getValues('profileImage') instanceof File) {
        const message = serverMessage(error) ?? 'Please choose another picture';
        form.setError('profileImage', { message }, { shouldFocus: true });
      }
      return;
    }
    idempotencyKey.reset();
    showToast({ title: pet ? 'Pet updated successfully!' : 'Pet added successfully!', variant: 'success' });
    onSaved();
  });
}

function isPictureError(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || error.status === 415);
}
