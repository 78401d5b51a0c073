import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { get } from 'react-hook-form';
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
import { NO_SUGGESTIONS, type SuggestedValues } from './use-suggested-values.ts';

/**
 * Outside the dialog, so that the values stay while the photo is chosen. The browser stores them until the memory is
 * created. A suggestion replaces an earlier one, not what the person has entered.
 */
export function useAddMemoryForm(ownerId: string, isOpen: boolean, suggestions: SuggestedValues) {
  const form = useMemoryForm(EMPTY_FORM_VALUES);
  const [isRestored, setIsRestored] = useState(false);
  /** The suggestions that the form shows, unless they were changed there. */
  const shown = useRef(NO_SUGGESTIONS);
  const isTyping = (name: 'memoryDate' | 'memoryTime') =>
    isIncomplete(get<object, unknown>(form.control._fields, `${name}._f.ref`));
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
    if (isDateShown(values, shown.current) && !isTyping('memoryDate') && !isTyping('memoryTime')) {
      shown.current = { ...shown.current, memoryDate, memoryTime };
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
      const restored = MemoryFormValues.safeParse(draft.read());
      if (restored.success && isEmpty(withoutSuggestions(form.getValues(), shown.current))) {
        form.reset(restored.data, { keepDefaultValues: true });
        shown.current = NO_SUGGESTIONS;
        suggest();
        setIsRestored(true);
      }
      const save = (values: MemoryFormValues) => {
        const entered = withoutSuggestions(values, shown.current);
        draft.write(isEmpty(entered) ? null : entered);
      };
      save(form.getValues());
      const stopSaving = form.subscribe({
        formState: { values: true },
        callback: ({ values }) => save(values),
      });
      stop = () => {
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
  const reset = () => {
    shown.current = NO_SUGGESTIONS;
    form.reset();
  };
  /** Without a suggested date: the server reads it from the photo, and notes that it did. */
  const readValues = (): MemoryFormValues => {
    const values = form.getValues();
    return isDateShown(values, shown.current) ? { ...values, memoryDate: '', memoryTime: '' } : values;
  };
  return { form, isRestored, reset, readValues };
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
