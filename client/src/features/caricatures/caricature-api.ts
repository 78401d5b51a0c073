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
} from '#shared/caricature';
import { Memory } from '#shared/memory';
import { PAGE_SIZE } from '#shared/pagination';
import { Pet } from '#shared/pet';
import { SharedLink } from '#shared/share';
import {
  apiDelete,
  apiGet,
  apiGetBlob,
  apiGetPage,
  apiPost,
  apiPostEmpty,
  ignoreNotFound,
  type Page,
} from '../../lib/api-client.ts';
import { refreshPets } from '../pets/pet-api.ts';

const CARICATURES = '/api/caricatures';
const LISTS = [CARICATURES, 'list'];
const MEMORIES = '/api/memories';
const SHARES = '/api/shares';
/** Between two looks at what is being drawn. */
const POLL_MS = 1000;

type Pages = InfiniteData<Page<Caricature[]>, string>;

/** The caricatures of one pet, or of all; newest first. Looked at each second while any is being drawn, and not otherwise. */
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
      state.data && caricaturesIn(state.data).some(isGenerating) ? POLL_MS : false,
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

/** What there is to choose, and how often still. Asked for anew whenever that may have changed. */
const optionsQuery = queryOptions({
  queryKey: [CARICATURES, 'options'],
  queryFn: ({ signal }) => apiGet(`${CARICATURES}/options`, CaricatureOptions, signal),
});

export function useCaricatureOptions() {
  return useQuery(optionsQuery);
}

/** A photo to draw, or a caricature to draw once more. */
export type Order = GenerateCaricatureRequest | { redo: string };

interface OrderCaricature {
  order: Order;
  idempotencyKey: string;
}

/** Has one drawn; it is in the lists at once. */
export function useGenerateCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ order, idempotencyKey }: OrderCaricature) => {
      const headers = { 'Idempotency-Key': idempotencyKey };
      return 'redo' in order
        ? apiPost(`${CARICATURES}/${order.redo}/redo`, undefined, Caricature, headers)
        : apiPost(`${CARICATURES}/generate`, order, Caricature, headers);
    },
    onSuccess: async (caricature) => {
      // What was asked for before does not know it yet.
      await queryClient.cancelQueries({ queryKey: LISTS });
      putIntoLists(queryClient, caricature);
    },
    // Also after a failure: the answer alone may have been lost.
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

/** Whatever is in sight of them is asked for anew. */
export function refreshCaricatures(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [CARICATURES] });
}

/** Photos may go to the service that draws. */
export function useGiveConsent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPostEmpty(`${CARICATURES}/consent`),
    onSuccess: () => void queryClient.invalidateQueries(optionsQuery),
  });
}

/** Makes a memory of it, or gets the one that was made. */
export function useSaveCaricatureAsMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiPost(`${CARICATURES}/${id}/keep`, undefined, Memory),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [MEMORIES] }),
  });
}

/** Its pet shows it from now on. */
export function useShowOnProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiPost(`${CARICATURES}/${id}/profile-picture`, undefined, Pet),
    onSuccess: () => void refreshPets(queryClient),
  });
}

/** Makes its public link, or gets the one that is there. */
export function useShareCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Caricature) => apiPost(sharePath(id), undefined, SharedLink),
    onSuccess: ({ url }, caricature) => showLink(queryClient, { ...caricature, shareUrl: url }),
  });
}

/** Takes it back. */
export function useUnshareCaricature() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Caricature) => apiDelete(sharePath(id)),
    onSuccess: (_nothing, caricature) => showLink(queryClient, { ...caricature, shareUrl: null }),
  });
}

function sharePath(id: string): string {
  return `${CARICATURES}/${id}/share`;
}

function showLink(queryClient: QueryClient, caricature: Caricature): void {
  putIntoLists(queryClient, caricature);
  // What is still on its way does not know it yet.
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

/** As a file to keep, a PNG. */
export function fetchCaricatureFile(id: string): Promise<Blob> {
  return apiGetBlob(`${CARICATURES}/${id}/file`);
}
