import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { isCalendarDate } from '#shared/calendar-date';
import { CreatePetRequest, type Pet } from '#shared/pet';
import { ApiError, serverMessage } from '../../lib/api-client.ts';
import { discardDraft, hasDraft, useFormDraft, applyDraft } from '../drafts/form-drafts.tsx';
import { rejectIncompleteDates, showFieldErrors } from '../../lib/form-fields.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useUser } from '../sessions/session-api.ts';
import { useCreatePet, useUpdatePet } from './pet-api.ts';

const TEXT_FIELDS = [
  'name',
  'species',
  'breed',
  'age',
  'weight',
  'birthdayOrGotchaDay',
  'description',
] as const;

type ProfilePictureChoice = File | 'unchanged' | 'removed';

const { name, species } = CreatePetRequest.shape;

const PetValues = z.object({
  name,
  species: z.pipe(z.string(), species),
  breed: z.string(),
  age: z.string(),
  weight: z.string(),
  birthdayOrGotchaDay: z
    .string()
    .check(z.refine((day) => day === '' || isCalendarDate(day), { error: 'Please enter a valid date' })),
  description: z.string(),
  profileImage: z.custom<ProfilePictureChoice>(),
});
export type PetValues = z.input<typeof PetValues>;

/** @param pet null for a new pet */
export function usePetForm(pet: Pet | null) {
  const [before] = useState(() => toPetValues(pet));
  const { data: user } = useUser();
  const draftKey = `pet:${pet?.id ?? `new:${user?.id}`}`;
  const [isRestored, setRestored] = useState(() => hasDraft(draftKey));
  const form = useForm<PetValues>({
    resolver: rejectIncompleteDates(zodResolver(PetValues, undefined, { raw: true })),
    defaultValues: before,
  });
  useEffect(
    () => form.reset(applyDraft(draftKey, before), { keepDefaultValues: true }),
    [form, draftKey, before],
  );
  useFormDraft(draftKey, form, before);
  return {
    form,
    isRestored,
    /** The draft stays; the form says so when it is reopened. */
    onLeave: () => setRestored(hasDraft(draftKey)),
    discard: () => {
      form.reset(before);
      discardDraft(draftKey);
      setRestored(false);
    },
  };
}

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

export function toPetValues(pet: Pet | null): PetValues {
  return {
    name: pet?.name ?? '',
    species: pet?.species ?? '',
    breed: pet?.breed ?? '',
    age: pet?.age ?? '',
    weight: pet?.weight ?? '',
    birthdayOrGotchaDay: pet?.birthdayOrGotchaDay ?? '',
    description: pet?.description ?? '',
    profileImage: 'unchanged',
  };
}

/** Only changed fields; cleared ones are empty. */
export function toPetFormData(values: PetValues, pet: Pet | null): FormData {
  const before = toPetValues(pet);
  const form = new FormData();
  for (const name of TEXT_FIELDS) {
    const text = values[name].trim();
    if (text !== before[name].trim()) form.append(name, text);
  }
  if (values.profileImage instanceof File) form.append('profileImage', values.profileImage);
  if (values.profileImage === 'removed') form.append('removeProfileImage', 'true');
  return form;
}
