import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { get } from 'react-hook-form';
import * as z from 'zod/mini';
import { joinMemoryDate } from '#shared/dates/calendar-date';
import type { CompletedUpload, CompleteUploadRequest } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { isNotFound } from '../../../lib/api/api-client.ts';
import { isIncomplete } from '../../../lib/use-zod-form.ts';
import { usePets } from '../../pets/pet-api.ts';
import { useCompleteUpload } from '../store/memory-mutations.ts';
import { claimUploadDraft } from '../../uploads/upload-session.ts';
import {
  MemoryFormValues,
  EMPTY_FORM_VALUES,
  resolvePetId,
  useMemoryForm,
} from '../fields/memory-form-values.ts';
import type { AddMemoryStep } from './add-memory-step.ts';
import { NO_SUGGESTIONS, type SuggestedValues } from './use-suggested-values.ts';

const Draft = z.extend(MemoryFormValues, {
  isUndated: z.optional(z.boolean()),
  hasPhoto: z.optional(z.boolean()),
});

/**
 * Outside the dialog, so that the values stay while the photo is chosen. The browser stores them until the memory is
 * created, but not a photo that was only chosen. A suggestion replaces an earlier one, not what the person has entered.
 */
export function useAddMemoryForm(
  ownerId: string,
  step: AddMemoryStep,
  hasPhoto: boolean,
  suggestions: SuggestedValues,
) {
  const form = useMemoryForm(EMPTY_FORM_VALUES);
  const isOpen = step !== 'closed';
  const [isRestored, setIsRestored] = useState(false);
  const [isPhotoLost, setIsPhotoLost] = useState(false);
  if (hasPhoto && isPhotoLost) setIsPhotoLost(false);
  /** The last suggestions: the form shows them, unless they were changed there. */
  const shown = useRef(NO_SUGGESTIONS);
  const isDraftUndated = useRef(false);
  /** While this tab holds the draft. */
  const save = useRef(() => {});
  const isTyping = (name: 'memoryDate' | 'memoryTime') =>
    isIncomplete(get<object, unknown>(form.control._fields, `${name}._f.ref`));
  /** The person has cleared the photo's date, and wants none. */
  const isUndated = ({ memoryDate }: MemoryFormValues) =>
    memoryDate === '' &&
    !isTyping('memoryDate') &&
    (isDraftUndated.current || shown.current.memoryDate !== '');
  const toDraft = useEffectEvent((): z.infer<typeof Draft> | null => {
    const values = form.getValues();
    const entered = withoutSuggestions(values, shown.current);
    if (isEmpty(entered) && !isUndated(values)) return null;
    // The uploader stores its photo.
    const isPhotoUnstored = step === 'form' && (hasPhoto || isPhotoLost);
    return { ...entered, isUndated: isUndated(values), hasPhoto: isPhotoUnstored };
  });
  const clearSuggestedTime = useEffectEvent(({ memoryDate, memoryTime }: MemoryFormValues) => {
    if (
      memoryDate === '' &&
      memoryTime !== '' &&
      memoryTime === shown.current.memoryTime &&
      !isTyping('memoryDate')
    )
      form.setValue('memoryTime', '');
  });
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name, values }) => name === 'memoryDate' && clearSuggestedTime(values),
      }),
    [form],
  );
  const suggest = useEffectEvent(() => {
    const values = form.getValues();
    const { petId, memoryDate, memoryTime } = suggestions;
    if (values.petId === shown.current.petId) {
      shown.current = { ...shown.current, petId };
      form.setValue('petId', petId);
    }
    const isShown =
      isDateShown(values, shown.current) &&
      !isDraftUndated.current &&
      !isTyping('memoryDate') &&
      !isTyping('memoryTime');
    if (isShown || memoryDate !== '') shown.current = { ...shown.current, memoryDate, memoryTime };
    if (isShown) {
      form.setValue('memoryDate', memoryDate);
      form.setValue('memoryTime', memoryTime);
    }
  });
  useEffect(() => {
    if (isOpen) suggest();
  }, [isOpen, suggestions.petId, suggestions.memoryDate, suggestions.memoryTime]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closing = new AbortController();
    let stop = () => {};
    void claimUploadDraft(ownerId, closing.signal).then((draft) => {
      if (closing.signal.aborted || !draft) return draft?.release();
      const restored = Draft.safeParse(draft.read());
      if (restored.success && toDraft() === null) {
        const { isUndated = false, hasPhoto: hadPhoto = false, ...values } = restored.data;
        form.reset(values, { keepDefaultValues: true });
        shown.current = NO_SUGGESTIONS;
        isDraftUndated.current = isUndated;
        suggest();
        setIsRestored(!isEmpty(values));
        setIsPhotoLost(hadPhoto);
      }
      save.current = () => draft.write(toDraft());
      save.current();
      // Not its values: the other subscription may just have changed them.
      const stopSaving = form.subscribe({ formState: { values: true }, callback: () => save.current() });
      stop = () => {
        save.current = () => {};
        stopSaving();
        draft.release();
        setIsRestored(false);
      };
    });
    return () => {
      closing.abort();
      stop();
    };
  }, [form, ownerId, isOpen]);
  useEffect(() => save.current(), [step, hasPhoto, isPhotoLost]);
  const reset = () => {
    shown.current = NO_SUGGESTIONS;
    isDraftUndated.current = false;
    setIsPhotoLost(false);
    form.reset();
  };
  /** Without a suggested date: the server reads it from the photo, and notes that it did. */
  const readValues = (): { values: MemoryFormValues; isUndated: boolean } => {
    const values = form.getValues();
    if (isUndated(values)) return { values, isUndated: true };
    const isSuggested = isDateShown(values, shown.current);
    return { values: isSuggested ? { ...values, memoryDate: '', memoryTime: '' } : values, isUndated: false };
  };
  return { form, isRestored, isPhotoLost, reset, readValues };
}

/** A day and its time belong together. */
function isDateShown(values: MemoryFormValues, shown: SuggestedValues): boolean {
  return values.memoryDate === shown.memoryDate && values.memoryTime === shown.memoryTime;
}

function withoutSuggestions(values: MemoryFormValues, shown: SuggestedValues): MemoryFormValues {
  return {
    ...values,
    ...(values.petId === shown.petId && { petId: '' }),
    ...(isDateShown(values, shown) && { memoryDate: '', memoryTime: '' }),
  };
}

function isEmpty(values: MemoryFormValues): boolean {
  return Object.values(values).every((text) => text === '');
}

export function toMemoryDetails(
  { memoryDate, memoryTime, petId, ...details }: MemoryFormValues,
  pets: Pet[] | undefined,
): Omit<CompleteUploadRequest, 'uploadURL'> {
  return {
    ...details,
    petId: resolvePetId(petId, pets, ''),
    memoryDate: joinMemoryDate(memoryDate, memoryTime),
  };
}

/** Creates a memory of an uploaded photo. If its pet has been deleted in another tab, it is created without one. */
export function useCreateMemory() {
  const { mutateAsync: completeUpload } = useCompleteUpload();
  const { refetch: refetchPets } = usePets();
  return async (request: CompleteUploadRequest): Promise<CompletedUpload> => {
    try {
      return await completeUpload(request);
    } catch (error) {
      if (!request.petId || !isNotFound(error)) throw error;
      const { data: pets } = await refetchPets();
      if (resolvePetId(request.petId, pets, '') !== '') throw error;
      return completeUpload({ ...request, petId: '' });
    }
  };
}
