import DataLoader from 'dataloader';
import {
  queryOptions,
  replaceEqualDeep,
  skipToken,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { MAX_MEMORY_IDS, MemoryList, type Memory, type MemoryOrder } from '#shared/album/memory';
import { apiGetPage } from '../../../lib/api/api-client.ts';
import { applyChanges, type MemoryChanges } from './memory-changes.ts';

/** The first element of all query keys of memories. */
export const MEMORIES = '/api/memories';
const ENTITIES = [MEMORIES, 'memory'];
const HIDDEN = [MEMORIES, 'hidden'];

/** In the trash if it has a `deletedAt`. */
export type StoredMemory = Memory & { deletedAt?: string | null };
export type StoredChanges = MemoryChanges & { deletedAt?: string | null };

export interface MemoryFilter {
  petId?: string | undefined;
  q?: string | undefined;
  isLiked?: true | undefined;
  order?: MemoryOrder | undefined;
  /** Only memories in the trash, most recently deleted first. */
  isDeleted?: true | undefined;
}

interface MemoryRecord {
  /** The server's copy; null if it does not exist. */
  saved: StoredMemory | null;
  /** Local changes without a response yet, oldest first. */
  pending: readonly StoredChanges[];
  /** `saved` with the pending changes applied. The same object until something in it changes. */
  optimistic: StoredMemory | null;
  /** On the logical clock. Responses requested before it are stale. */
  lastWriteAt: number;
  /** When the server's copy was added to or removed from the album. Lists requested before may be stale. */
  movedAt: number;
  /** When a field changed that lists are filtered or ordered by. Lists requested before may be stale. */
  editedAt: number;
  /** When its heart changed. Lists of loved memories requested before may be stale. */
  likedAt: number;
}

let clock = 0;
/** A logical clock that orders requests and local changes. Read it before sending a request. */
export const tick = (): number => ++clock;

const toQueryKey = (id: string) => [...ENTITIES, id];
export const getRecord = (client: QueryClient, id: string) =>
  client.getQueryData<MemoryRecord>(toQueryKey(id));

/** Lists are filtered and ordered by these fields. */
const LIST_FIELDS = ['caption', 'tags', 'petId', 'memoryDate'] as const;
export const isInAlbum = (memory: StoredMemory | null) => memory !== null && !memory.deletedAt;

const RECENT_MS = 10 * 60_000;
/** Lists that were requested at the time of creation may not include it. */
const isRecent = (memory: StoredMemory | null) =>
  memory !== null && Date.now() - Date.parse(memory.createdAt) < RECENT_MS;

/** With pending changes; undefined if it is not cached. */
export const getMemory = (client: QueryClient, id: string) => getRecord(client, id)?.optimistic;

function writeRecord(
  client: QueryClient,
  id: string,
  saved: StoredMemory | null,
  pending: readonly StoredChanges[],
  lastWriteAt: number,
): void {
  // Lists hold only ids, so records must not expire. Structural sharing would break the identity of pending changes.
  client.setQueryDefaults(ENTITIES, { gcTime: Infinity, structuralSharing: false });
  const before = getRecord(client, id);
  const optimistic = replaceEqualDeep(
    before?.optimistic,
    saved && pending.reduce<StoredMemory>(applyChanges, saved),
  );
  const hasMoved = before ? isInAlbum(before.saved) !== isInAlbum(saved) : isRecent(saved);
  const hasChanged = LIST_FIELDS.some((field) => String(before?.saved?.[field]) !== String(saved?.[field]));
  client.setQueryData<MemoryRecord>(toQueryKey(id), {
    saved: replaceEqualDeep(before?.saved, saved),
    pending,
    optimistic,
    lastWriteAt,
    movedAt: hasMoved ? tick() : (before?.movedAt ?? 0),
    editedAt: before && hasChanged ? tick() : (before?.editedAt ?? 0),
    likedAt: before && before.saved?.isLiked !== saved?.isLiked ? tick() : (before?.likedAt ?? 0),
  });
  setHidden(client, id, optimistic === null ? 'gone' : optimistic.deletedAt ? 'trashed' : undefined);
}

/**
 * Responses may arrive in any order: one requested before the latest write only triggers a refetch, if it differs.
 * @param memory null if the response left it out
 */
export function storeMemory(
  client: QueryClient,
  id: string,
  memory: StoredMemory | null,
  requestedAt: number,
): void {
  const record = getRecord(client, id);
  // Responses leave out memories in the trash, but the dialog may still show one.
  const trashed = record?.saved && { deletedAt: new Date().toISOString(), ...record.saved };
  const saved = memory ?? trashed ?? null;
  if (!record || requestedAt >= record.lastWriteAt)
    writeRecord(client, id, saved, record?.pending ?? [], requestedAt);
  else if (replaceEqualDeep(record.saved, saved) !== record.saved) reloadMemory(client, id);
}

/** Records that a memory no longer exists, not even in the trash. */
export function setMemoryGone(client: QueryClient, id: string): void {
  writeRecord(client, id, null, [], tick());
}

/** Applies changes optimistically. Call the result with the memory from the response, or else with the outcome. */
export function changeMemory(client: QueryClient, id: string, changes: StoredChanges) {
  const record = getRecord(client, id);
  if (record) writeRecord(client, id, record.saved, [...record.pending, changes], tick());
  return (result: StoredMemory | 'saved' | 'failed'): void => {
    const { saved: before, pending = [] } = getRecord(client, id) ?? {};
    if (!before) return;
    const saved = result === 'failed' ? before : result === 'saved' ? applyChanges(before, changes) : result;
    const others = pending.filter((each) => each !== changes);
    writeRecord(client, id, saved, others, tick());
    // A failed request may have succeeded on the server, and a newer response may have arrived first.
    if (result === 'failed' || before !== record?.saved) reloadMemory(client, id);
  };
}

export type HiddenMemories = ReadonlyMap<string, 'trashed' | 'gone'>;
const NONE: HiddenMemories = new Map();

function setHidden(client: QueryClient, id: string, reason: 'trashed' | 'gone' | undefined): void {
  const before = client.getQueryData<HiddenMemories>(HIDDEN) ?? NONE;
  if (before.get(id) === reason) return;
  const hidden = new Map(before);
  hidden.delete(id);
  if (reason) hidden.set(id, reason);
  client.setQueryData<HiddenMemories>(HIDDEN, hidden);
}

export function useHiddenMemories(): HiddenMemories {
  return useQuery<HiddenMemories>({ queryKey: HIDDEN, queryFn: skipToken, gcTime: Infinity }).data ?? NONE;
}

/** Calls the listener with memories that leave the trash, here or on another device. @returns the cleanup */
export function subscribeToRestored(client: QueryClient, listener: (ids: string[]) => void): () => void {
  const getHidden = () => client.getQueryData<HiddenMemories>(HIDDEN) ?? NONE;
  let before = getHidden();
  return client.getQueryCache().subscribe(() => {
    const hidden = getHidden();
    const restored = [...before].filter(([id, reason]) => reason === 'trashed' && !hidden.has(id));
    before = hidden;
    if (restored.length > 0) listener(restored.map(([id]) => id));
  });
}

const loaders = new WeakMap<QueryClient, DataLoader<string, void>>();

/** Fetches memories into the store, batched. @throws ApiError */
export async function loadMemories(client: QueryClient, ids: string[]): Promise<void> {
  const options = { cache: false, maxBatchSize: MAX_MEMORY_IDS };
  const loader = loaders.get(client) ?? new DataLoader((ids) => fetchMemories(client, ids), options);
  loaders.set(client, loader);
  await Promise.all(ids.map((id) => loader.load(id)));
}

async function fetchMemories(client: QueryClient, ids: readonly string[]): Promise<void[]> {
  const requestedAt = tick();
  const { items } = await apiGetPage(`${MEMORIES}?ids=${[...new Set(ids)].join(',')}`, MemoryList);
  const found = new Map(items.map((memory) => [memory.id, memory]));
  return ids.map((id) => storeMemory(client, id, found.get(id) ?? null, requestedAt));
}

function reloadMemory(client: QueryClient, id: string): void {
  loadMemories(client, [id]).catch(() => undefined);
}

export function memoryQuery(client: QueryClient, id: string) {
  return queryOptions({
    queryKey: toQueryKey(id),
    queryFn: async () => {
      await loadMemories(client, [id]);
      return getRecord(client, id)!;
    },
    staleTime: Infinity,
    structuralSharing: false,
    select: ({ optimistic }) => optimistic,
  });
}

export type LoadedMemory = StoredMemory | 'loading' | { retry: () => void } | null;

export function useMemory(id: string): LoadedMemory {
  const client = useQueryClient();
  const query = { ...memoryQuery(client, id), enabled: id !== '' };
  const { data, isError, isFetching, refetch } = useQuery(query);
  if (data !== undefined) return data;
  return isError && !isFetching ? { retry: () => void refetch() } : 'loading';
}

/** Loaded, and not deleted. */
export function isLoadedMemory(memory: LoadedMemory): memory is Memory {
  return memory !== null && memory !== 'loading' && 'id' in memory && !memory.deletedAt;
}
