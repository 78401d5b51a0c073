import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { INVALID_DATE, isCalendarDate } from '#shared/dates/calendar-date';
import { CreatePetRequest, formatCrop, type Pet } from '#shared/album/pet';
import type { SquareCrop } from '#shared/photos/square-crop';
import { discardDraft, hasDraft, useFormDraft, applyDraft } from '../drafts/form-drafts.tsx';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { useUser } from '../users/current-user.ts';

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
    .check(z.refine((day) => day === '' || isCalendarDate(day), { error: INVALID_DATE })),
  description: z.string(),
  profileImage: z.custom<ProfilePictureChoice>(),
  /** Of the chosen picture, or a new one of the stored `imageId`. Null: unchanged, or the server's proposal. */
  profileImageCrop: z.custom<(SquareCrop & { imageId?: string }) | null>(),
});
export type PetValues = z.input<typeof PetValues>;

export type PetForm = UseFormReturn<PetValues, unknown, z.output<typeof PetValues>>;

/** @param pet null for a new pet */
export function usePetForm(pet: Pet | null) {
  const [before] = useState(() => toPetValues(pet));
  const { data: user } = useUser();
  const draftKey = `pet:${pet?.id ?? `new:${user?.id}`}`;
  const [isRestored, setRestored] = useState(() => hasDraft(draftKey));
  const { form } = useZodForm(PetValues, before);
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
    profileImageCrop: null,
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
  const { profileImage, profileImageCrop } = values;
  if (profileImage instanceof File) form.append('profileImage', profileImage);
  if (profileImage === 'removed') form.append('removeProfileImage', 'true');
  else if (profileImageCrop) {
    form.append('profileImageCrop', formatCrop(profileImageCrop));
    if (profileImageCrop.imageId) form.append('croppedImageId', profileImageCrop.imageId);
  }
  return form;
}
