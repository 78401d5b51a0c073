import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Memory, type CompleteUploadRequest } from '#shared/memory';
import { apiPost, isNotFound } from '../../../lib/api-client.ts';
import { usePets } from '../../pets/pet-api.ts';
import { invalidate } from '../store/memory-lists.ts';
import { MEMORIES, storeMemory, tick } from '../store/memory-store.ts';
import { petChoice } from './memory-form.ts';

/**
 * Makes a memory of an uploaded photo. A pet that was deleted meanwhile, in another tab, takes no photo with it: the
 * memory is there without a pet, as if that had happened a moment later.
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
