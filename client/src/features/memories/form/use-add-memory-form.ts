import { useEffect, useState } from 'react';
import { joinMemoryDate } from '#shared/calendar-date';
import type { CompletedUpload, CompleteUploadRequest } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { isNotFound } from '../../../lib/api-client.ts';
import { usePets } from '../../pets/pet-api.ts';
import { useCompleteUpload } from '../store/memory-mutations.ts';
import { claimUploadDraft } from '../../uploads/upload-session.ts';
import { MemoryFormValues, EMPTY_FORM_VALUES, resolvePetId, useMemoryForm } from './memory-form-values.ts';

/**
 * Outside the dialog, so that the values stay while the photo is chosen. The browser stores them until the memory is
 * created.
 */
export function useAddMemoryForm(ownerId: string, isOpen: boolean) {
  const form = useMemoryForm(EMPTY_FORM_VALUES);
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closing = new AbortController();
    let stop = () => {};
    void claimUploadDraft(ownerId, closing.signal).then((draft) => {
      if (closing.signal.aborted || !draft) return draft?.release();
      const restored = MemoryFormValues.safeParse(draft.read());
      if (restored.success && isEmpty(form.getValues())) {
        form.reset(restored.data, { keepDefaultValues: true });
        setIsRestored(true);
      }
      const save = (values: MemoryFormValues) => draft.write(isEmpty(values) ? null : values);
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
  return { form, isRestored };
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
