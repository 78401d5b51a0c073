import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { PAGE_SIZE } from '#shared/pagination';
import { Pet, PetList } from '#shared/pet';
import { apiDelete, apiGetAll, apiPatch, apiPost, ignoreNotFound } from '../../lib/api-client.ts';

const PETS = '/api/pets';
const MEMORIES = '/api/memories';

/** Every pet of this account, by name. Fetched once; every screen that shows a pet looks it up here. */
const petsQuery = queryOptions({
  queryKey: [PETS],
  queryFn: ({ signal }) => apiGetAll(`${PETS}?limit=${PAGE_SIZE}`, PetList, signal),
  // The account's events tell of changes.
  staleTime: Infinity,
});

export function usePets() {
  return useQuery(petsQuery);
}

/** One of them, where the screen asks for them all: never a call of its own. Undefined until it is known. */
export function usePet(id: string | null): Pet | undefined {
  const select = (pets: Pet[]) => pets.find((pet) => pet.id === id);
  return useQuery({ ...petsQuery, select, enabled: false }).data;
}

interface CreatePet {
  form: FormData;
  /** The same key with the same form makes one pet, however often it is sent. */
  idempotencyKey: string;
}

export function useCreatePet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ form, idempotencyKey }: CreatePet) =>
      apiPost(PETS, form, Pet, { 'Idempotency-Key': idempotencyKey }),
    onSuccess: (pet) => showPet(queryClient, pet),
    // Also after a failure: the answer alone may have been lost.
    onSettled: () => reload(queryClient, [PETS]),
  });
}

interface UpdatePet {
  id: string;
  /** What is in it changes, all else stays. */
  form: FormData;
}

export function useUpdatePet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, form }: UpdatePet) => apiPatch(`${PETS}/${id}`, form, Pet),
    onSuccess: (pet) => showPet(queryClient, pet),
    // Memories are found by their pet's name.
    onSettled: () => reload(queryClient, [PETS, MEMORIES]),
  });
}

export function useDeletePet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${PETS}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) =>
      queryClient.setQueryData(petsQuery.queryKey, (pets) => pets?.filter((pet) => pet.id !== id)),
    // Memories outlive their pet, and no longer name it.
    onSettled: () => reload(queryClient, [PETS, MEMORIES]),
  });
}

/** At once where it belongs, or nearly so: the list that is reloaded afterwards has the server's own order. */
function showPet(queryClient: QueryClient, pet: Pet): void {
  queryClient.setQueryData(
    petsQuery.queryKey,
    (pets) =>
      pets && [...pets.filter(({ id }) => id !== pet.id), pet].sort((a, b) => a.name.localeCompare(b.name)),
  );
}

/** After pets were changed elsewhere. */
export function refreshPets(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [PETS] });
}

/** Not awaited: what was done is done, the lists may take their time. */
function reload(queryClient: QueryClient, roots: string[]): void {
  for (const root of roots) void queryClient.invalidateQueries({ queryKey: [root] });
}
