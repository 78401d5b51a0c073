import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import {
  Caricature,
  CaricatureList,
  CaricatureOptions,
  type GenerateCaricatureRequest,
} from '#shared/album/caricature';
import { Memory } from '#shared/album/memory';
import { Pet } from '#shared/album/pet';
import { SharedLink } from '#shared/album/share';
import { PAGE_SIZE } from '#shared/api/pagination';
import {
  apiDelete,
  apiGet,
  apiGetBlob,
  apiGetPage,
  apiPost,
  apiPostEmpty,
  ignoreNotFound,
  type Page,
} from '../../lib/api/api-client.ts';
import { refreshPets } from '../pets/pet-api.ts';

const CARICATURES = '/api/caricatures';
const LISTS = [CARICATURES, 'list'];
const MEMORIES = '/api/memories';
const SHARES = '/api/shares';
const POLL_INTERVAL_MS = 1000;

type Pages = InfiniteData<Page<Caricature[]>, string>;

/** Newest first. Polled while any is generating. @param petId empty for all pets */
export function caricaturesQuery(petId: string) {
  const firstPage = `${listPath(petId)}?limit=${PAGE_SIZE}`;
  return infiniteQueryOptions({
    queryKey: [...LISTS, firstPage],
    queryFn: ({ pageParam, signal }) => apiGetPage(pageParam, CaricatureList, signal),
    initialPageParam: firstPage,
    placeholderData: keepPreviousData,
    getNextPageParam: (page) => page.next,
    select: caricaturesIn,
    refetchInterval: ({ state }) =>
      state.data && caricaturesIn(state.data).some(isGenerating) ? POLL_INTERVAL_MS : false,
    refetchIntervalInBackground: true,
  });
}

function listPath(petId: string): string {
  return petId ? `/api/pets/${petId}/caricatures` : CARICATURES;
}

export function useCaricatures(petId: string) {
  return useInfiniteQuery(caricaturesQuery(petId));
}

const caricaturesIn = ({ pages }: Pages) => pages.flatMap(({ items }) => items);
const isGenerating = ({ status }: Caricature) => status === 'generating';

const optionsQuery = queryOptions({
  queryKey: [CARICATURES, 'options'],
  queryFn: ({ signal }) => apiGet(`${CARICATURES}/options`, CaricatureOptions, signal),
});

export function useCaricatureOptions() {
  return useQuery(optionsQuery);
}

/** A photo, or the id of a caricature to generate again. */
export type CaricatureRequest = GenerateCaricatureRequest | { redo: string };

export function useGenerateCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ request, idempotencyKey }: { request: CaricatureRequest; idempotencyKey: string }) => {
      const headers = { 'Idempotency-Key': idempotencyKey };
      return 'redo' in request
        ? apiPost(`${CARICATURES}/${request.redo}/redo`, undefined, Caricature, headers)
        : apiPost(`${CARICATURES}/generate`, request, Caricature, headers);
    },
    onSuccess: async (caricature) => {
      // A pending fetch may not contain it.
      await queryClient.cancelQueries({ queryKey: LISTS });
      putIntoLists(queryClient, caricature);
    },
    // Also on error: only the response may have been lost.
    onSettled: () => void refreshCaricatures(queryClient),
  });
}

function putIntoLists(queryClient: QueryClient, caricature: Caricature): void {
  for (const path of [listPath(''), listPath(caricature.petId ?? '')])
    changeLists(queryClient, [...LISTS, `${path}?limit=${PAGE_SIZE}`], (items, isFirstPage, all) => {
      if (isFirstPage && !all.some(({ id }) => id === caricature.id)) return [caricature, ...items];
      return items.map((each) => (each.id === caricature.id ? caricature : each));
    });
}

function changeLists(
  queryClient: QueryClient,
  queryKey: string[],
  change: (items: Caricature[], isFirstPage: boolean, all: Caricature[]) => Caricature[],
): void {
  queryClient.setQueriesData<Pages>({ queryKey }, (data) => {
    if (!data) return data;
    const all = caricaturesIn(data);
    const pages = data.pages.map((page, index) => ({
      ...page,
      items: change(page.items, index === 0, all),
    }));
    return { ...data, pages };
  });
}

export function refreshCaricatures(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [CARICATURES] });
}

export function useGiveConsent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPostEmpty(`${CARICATURES}/consent`),
    onSuccess: () => void queryClient.invalidateQueries(optionsQuery),
  });
}

/** Idempotent. */
export function useSaveCaricatureAsMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiPost(`${CARICATURES}/${id}/keep`, undefined, Memory),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [MEMORIES] }),
  });
}

export function useSetProfilePicture() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiPost(`${CARICATURES}/${id}/profile-picture`, undefined, Pet),
    onSuccess: () => void refreshPets(queryClient),
  });
}

/** Idempotent. */
export function useShareCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Caricature) => apiPost(sharePath(id), undefined, SharedLink),
    onSuccess: ({ url }, caricature) => updateShareUrl(queryClient, { ...caricature, shareUrl: url }),
  });
}

export function useUnshareCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Caricature) => apiDelete(sharePath(id)),
    onSuccess: (_nothing, caricature) => updateShareUrl(queryClient, { ...caricature, shareUrl: null }),
  });
}

function sharePath(id: string): string {
  return `${CARICATURES}/${id}/share`;
}

function updateShareUrl(queryClient: QueryClient, caricature: Caricature): void {
  putIntoLists(queryClient, caricature);
  // A pending fetch may be from before the change.
  void refreshCaricatures(queryClient);
  void queryClient.invalidateQueries({ queryKey: [SHARES] });
}

export function useDeleteCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${CARICATURES}/${id}`).catch(ignoreNotFound),
    onSuccess: async (_nothing, id) => {
      await queryClient.cancelQueries({ queryKey: LISTS });
      changeLists(queryClient, LISTS, (items) => items.filter((each) => each.id !== id));
    },
    onSettled: () => {
      void refreshCaricatures(queryClient);
      void queryClient.invalidateQueries({ queryKey: [SHARES] });
    },
  });
}

export function fetchCaricatureFile(id: string): Promise<Blob> {
  return apiGetBlob(`${CARICATURES}/${id}/file`);
}
