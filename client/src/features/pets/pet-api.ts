import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Pet, PetList } from '#shared/album/pet';
import { PAGE_SIZE } from '#shared/api/pagination';
import { apiDelete, apiGetAll, apiPatch, apiPost, ignoreNotFound } from '../../lib/api/api-client.ts';

export const PET_SAVED = 'Pet updated successfully!';
export const PET_NOT_SAVED = 'Failed to update pet';

const PETS = '/api/pets';
const MEMORIES = '/api/memories';

const petsQuery = queryOptions({
  queryKey: [PETS],
  queryFn: ({ signal }) => apiGetAll(`${PETS}?limit=${PAGE_SIZE}`, PetList, signal),
  // Events invalidate it.
  staleTime: Infinity,
});

export function usePets() {
  return useQuery(petsQuery);
}

/** Reads the cached list: some other component of the page must fetch it. */
export function usePet(id: string | null): Pet | undefined {
  const select = (pets: Pet[]) => pets.find((pet) => pet.id === id);
  return useQuery({ ...petsQuery, select, enabled: false }).data;
}

export function useCreatePet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ form, idempotencyKey }: { form: FormData; idempotencyKey: string }) =>
      apiPost(PETS, form, Pet, { 'Idempotency-Key': idempotencyKey }),
    onSuccess: (pet) => showPet(queryClient, pet),
    // Also on error: only the response may have been lost.
    onSettled: () => reload(queryClient, [PETS]),
  });
}

/** Fields that the form omits are unchanged. */
export function useUpdatePet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, form }: { id: string; form: FormData }) => apiPatch(`${PETS}/${id}`, form, Pet),
    onSuccess: (pet) => showPet(queryClient, pet),
    // Memory search matches pet names.
    onSettled: () => reload(queryClient, [PETS, MEMORIES]),
  });
}

export function useDeletePet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${PETS}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) =>
      queryClient.setQueryData(petsQuery.queryKey, (pets) => pets?.filter((pet) => pet.id !== id)),
    // The pet's memories stay, without a pet.
    onSettled: () => reload(queryClient, [PETS, MEMORIES]),
  });
}

/** Sorted roughly: the reloaded list has the server's collation. */
function showPet(queryClient: QueryClient, pet: Pet): void {
  queryClient.setQueryData(
    petsQuery.queryKey,
    (pets) =>
      pets && [...pets.filter(({ id }) => id !== pet.id), pet].sort((a, b) => a.name.localeCompare(b.name)),
  );
}

export function refreshPets(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [PETS] });
}

/** Not awaited, so that the mutation ends at once. */
function reload(queryClient: QueryClient, roots: string[]): void {
  for (const root of roots) void queryClient.invalidateQueries({ queryKey: [root] });
}
