import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Memory, type CompleteUploadRequest } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { apiPost, isNotFound } from '../../../lib/api-client.ts';
import { usePets } from '../../pets/pet-api.ts';
import { invalidate } from '../store/memory-lists.ts';
import { MEMORIES, storeMemory, tick } from '../store/memory-store.ts';
import { claimUploadDraft } from '../../uploads/upload-session.ts';
import { MemoryFormValues, EMPTY_FORM_VALUES, petChoice, useMemoryForm } from './memory-form.ts';

/**
 * Lives outside the dialog, so that the values outlive it while the photo is being chosen. While the form is open, they
 * are stored in the browser.
 */
export function useAddMemoryForm(ownerId: string, isOpen: boolean) {
  const form = useMemoryForm(EMPTY_FORM_VALUES);
  /** They are from there. */
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    let hasEnded = false;
    let end = () => {};
    void claimUploadDraft(ownerId).then((draft) => {
      if (hasEnded || !draft) return draft?.release();
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
      end = () => {
        stopSaving();
        draft.release();
        setIsRestored(false);
      };
    });
    return () => {
      hasEnded = true;
      end();
    };
  }, [form, ownerId, isOpen]);
  return { form, isRestored };
}

function isEmpty(values: MemoryFormValues): boolean {
  return Object.values(values).every((text) => text === '');
}

/** The values as the server takes them: the time is part of the date. */
export function memoryDetails(
  { memoryDate, memoryTime, petId, ...details }: MemoryFormValues,
  pets: Pet[] | undefined,
): Omit<CompleteUploadRequest, 'uploadURL'> {
  return {
    ...details,
    petId: petChoice(petId, pets, ''),
    memoryDate: memoryTime ? `${memoryDate}T${memoryTime}` : memoryDate,
  };
}

/**
 * Creates a memory of an uploaded photo; without its pet when that was deleted in another tab, as if that had happened
 * a moment later.
 */
export function useCreateMemory() {
  const { mutateAsync: completeUpload } = useCompleteUpload();
  const { refetch: refetchPets } = usePets();
  return async (request: CompleteUploadRequest): Promise<Memory> => {
    try {
      return await completeUpload(request);
    } catch (error) {
      if (!request.petId || !isNotFound(error)) throw error;
      const { data: pets } = await refetchPets();
      if (petChoice(request.petId, pets, '') !== '') throw error;
      return completeUpload({ ...request, petId: '' });
    }
  };
}

function useCompleteUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CompleteUploadRequest) => apiPost(`${MEMORIES}/complete-upload`, request, Memory),
    onSuccess: (memory) => {
      storeMemory(client, memory.id, memory, tick());
      invalidate(client, () => true);
    },
  });
}
