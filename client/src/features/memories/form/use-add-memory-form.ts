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
  isPhotoUnstored: z.optional(z.boolean()),
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
  /** The form shows them unless the person changed or cleared them. */
  const lastSuggestions = useRef(NO_SUGGESTIONS);
  const isDraftUndated = useRef(false);
  /** While this tab holds the draft. */
  const save = useRef(() => {});
  const isTyping = (name: 'memoryDate' | 'memoryTime') =>
    isIncomplete(get<object, unknown>(form.control._fields, `${name}._f.ref`));
  /** The person has cleared the photo's date, and wants none. */
  const isUndated = ({ memoryDate }: MemoryFormValues) =>
    memoryDate === '' &&
    !isTyping('memoryDate') &&
    (isDraftUndated.current || lastSuggestions.current.memoryDate !== '');
  const toDraft = useEffectEvent((): z.infer<typeof Draft> | null => {
    const values = form.getValues();
    const entered = withoutSuggestions(values, lastSuggestions.current);
    if (isEmpty(entered) && !isUndated(values)) return null;
    // The uploader stores its photo.
    const isPhotoUnstored = step === 'form' && (hasPhoto || isPhotoLost);
    return { ...entered, isUndated: isUndated(values), isPhotoUnstored };
  });
  const clearSuggestedTime = useEffectEvent(({ memoryDate, memoryTime }: MemoryFormValues) => {
    if (
      memoryDate === '' &&
      memoryTime !== '' &&
      memoryTime === lastSuggestions.current.memoryTime &&
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
    if (values.petId === lastSuggestions.current.petId) {
      lastSuggestions.current = { ...lastSuggestions.current, petId };
      form.setValue('petId', petId);
    }
    const isShown =
      isDateShown(values, lastSuggestions.current) &&
      !isDraftUndated.current &&
      !isTyping('memoryDate') &&
      !isTyping('memoryTime');
    if (isShown || memoryDate !== '')
      lastSuggestions.current = { ...lastSuggestions.current, memoryDate, memoryTime };
    if (isShown) {
      form.setValue('memoryDate', memoryDate);
      form.setValue('memoryTime', memoryTime);
    }
  });
  const forgetClearedDate = useEffectEvent(() => {
    if (step !== 'form') return;
    isDraftUndated.current = false;
    if (form.getValues('memoryDate') === '')
      lastSuggestions.current = { ...lastSuggestions.current, memoryDate: '', memoryTime: '' };
  });
  // Its photo was removed.
  useEffect(() => {
    if (!hasPhoto) forgetClearedDate();
  }, [hasPhoto]);
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
        const { isUndated = false, isPhotoUnstored = false, ...values } = restored.data;
        form.reset(values, { keepDefaultValues: true });
        lastSuggestions.current = NO_SUGGESTIONS;
        // Without the photo, nothing is left of the person's entries.
        isDraftUndated.current = isUndated && !(isPhotoUnstored && isEmpty(values));
        suggest();
        setIsRestored(!isEmpty(values));
        setIsPhotoLost(isPhotoUnstored);
      }
      save.current = () => draft.write(toDraft());
      save.current();
      // Reads the form again: `clearSuggestedTime` may have changed it since this event.
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
    lastSuggestions.current = NO_SUGGESTIONS;
    isDraftUndated.current = false;
    setIsPhotoLost(false);
    form.reset();
  };
  /** Without a suggested date: the server reads it from the photo, and notes that it did. */
  const readValues = (): { values: MemoryFormValues; isUndated: boolean } => {
    const values = form.getValues();
    if (isUndated(values)) return { values, isUndated: true };
    const isSuggested = isDateShown(values, lastSuggestions.current);
    return { values: isSuggested ? { ...values, memoryDate: '', memoryTime: '' } : values, isUndated: false };
  };
  return { form, isRestored, isPhotoLost, reset, readValues };
}

/** A day and its time belong together. */
function isDateShown(values: MemoryFormValues, suggested: SuggestedValues): boolean {
  return values.memoryDate === suggested.memoryDate && values.memoryTime === suggested.memoryTime;
}

function withoutSuggestions(values: MemoryFormValues, suggested: SuggestedValues): MemoryFormValues {
  return {
    ...values,
    ...(values.petId === suggested.petId && { petId: '' }),
    ...(isDateShown(values, suggested) && { memoryDate: '', memoryTime: '' }),
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
