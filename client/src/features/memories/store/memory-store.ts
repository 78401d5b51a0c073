import DataLoader from 'dataloader';
import {
  queryOptions,
  replaceEqualDeep,
  skipToken,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { MAX_MEMORY_IDS, MemoryList, type Memory, type MemoryOrder } from '#shared/memory';
import { apiGetPage } from '../../../lib/api-client.ts';
import { withChanges, type MemoryChanges } from '../details/memory-changes.ts';

/** The first element of the key of every query about memories. */
export const MEMORIES = '/api/memories';
const ENTITIES = [MEMORIES, 'memory'];
const HIDDEN = [MEMORIES, 'hidden'];

/** A memory, in the trash while it has a `deletedAt`. */
export type StoredMemory = Memory & { deletedAt?: string | null };
export type StoredChanges = MemoryChanges & { deletedAt?: string | null };

/** Which memories a list has, newest first. */
export interface MemoryFilter {
  petId?: string | undefined;
  /** What they are searched for. */
  q?: string | undefined;
  order?: MemoryOrder | undefined;
  /** Those in the trash, most recently deleted first, and no others. */
  isDeleted?: true | undefined;
}

/** What is cached of one memory. */
interface MemoryRecord {
  /** As the server last answered; null when it has no such memory. */
  saved: StoredMemory | null;
  /** Local changes that are not answered yet, oldest first. */
  pending: readonly StoredChanges[];
  /** `saved` with the pending changes. The same object as before while nothing in it has changed. */
  shown: StoredMemory | null;
  /** The latest write, on the clock of `tick`: a response requested before it is stale. */
  lastWriteAt: number;
  /** When the server's copy came into the album, or left it: a list requested before may have it wrong. */
  movedAt: number;
  /** When the server's copy changed in what lists are searched or ordered by. */
  editedAt: number;
}

let clock = 0;
/** Orders requests and local changes. To be read before a request is sent. */
export const tick = (): number => ++clock;

const keyOf = (id: string) => [...ENTITIES, id];
export const recordOf = (client: QueryClient, id: string) => client.getQueryData<MemoryRecord>(keyOf(id));

/** What lists are searched and ordered by. */
const EDITED = ['caption', 'tags', 'petId', 'memoryDate'] as const;
export const isInAlbum = (memory: StoredMemory | null) => memory !== null && !memory.deletedAt;

/** Created within ten minutes: lists that were fetched at the same time may not have it. */
const isRecent = (memory: StoredMemory | null) =>
  memory !== null && Date.now() - Date.parse(memory.createdAt) < 600_000;

/** A memory as every screen shows it; undefined when it is not cached. */
export const getMemory = (client: QueryClient, id: string) => recordOf(client, id)?.shown;

function writeRecord(
  client: QueryClient,
  id: string,
  saved: StoredMemory | null,
  pending: readonly StoredChanges[],
  lastWriteAt: number,
): void {
  // Lists hold only ids. A pending change is known by its identity, which structural sharing would not keep.
  client.setQueryDefaults(ENTITIES, { gcTime: Infinity, structuralSharing: false });
  const before = recordOf(client, id);
  const shown = replaceEqualDeep(before?.shown, saved && pending.reduce<StoredMemory>(withChanges, saved));
  const hasMoved = before ? isInAlbum(before.saved) !== isInAlbum(saved) : isRecent(saved);
  const hasChanged = EDITED.some((field) => String(before?.saved?.[field]) !== String(saved?.[field]));
  client.setQueryData<MemoryRecord>(keyOf(id), {
    saved: replaceEqualDeep(before?.saved, saved),
    pending,
    shown,
    lastWriteAt,
    movedAt: hasMoved ? tick() : (before?.movedAt ?? 0),
    editedAt: before && hasChanged ? tick() : (before?.editedAt ?? 0),
  });
  setHidden(client, id, shown === null ? 'gone' : shown.deletedAt ? 'trashed' : undefined);
}

/**
 * Stores a memory as a response has it; null if the server left it out. The one rule for responses in any order:
 * one requested (at `tick()`) before the latest write is dropped, and if it differs the memory is fetched again.
 */
export function storeMemory(
  client: QueryClient,
  id: string,
  memory: StoredMemory | null,
  requestedAt: number,
): void {
  const record = recordOf(client, id);
  // Lists leave out what is in the trash; the dialog that shows it still can.
  const trashed = record?.saved && { deletedAt: new Date().toISOString(), ...record.saved };
  const saved = memory ?? trashed ?? null;
  if (!record || requestedAt >= record.lastWriteAt)
    writeRecord(client, id, saved, record?.pending ?? [], requestedAt);
  else if (replaceEqualDeep(record.saved, saved) !== record.saved) reloadMemory(client, id);
}

/** The memory is not even in the trash. */
export function forgetMemory(client: QueryClient, id: string): void {
  writeRecord(client, id, null, [], tick());
}

/**
 * Shows changes at once.
 * @returns to be called with the memory that the server has answered; else with whether it made the changes
 */
export function changeMemory(client: QueryClient, id: string, changes: StoredChanges) {
  const record = recordOf(client, id);
  if (record) writeRecord(client, id, record.saved, [...record.pending, changes], tick());
  return (answer: StoredMemory | 'saved' | 'failed'): void => {
    const { saved: before, pending = [] } = recordOf(client, id) ?? {};
    if (!before) return;
    const saved = answer === 'failed' ? before : answer === 'saved' ? withChanges(before, changes) : answer;
    const others = pending.filter((each) => each !== changes);
    writeRecord(client, id, saved, others, tick());
    // A failed request may have succeeded on the server; an answer may be older than a response that overtook it.
    if (answer === 'failed' || before !== record?.saved) reloadMemory(client, id);
  };
}

/** Which memories lists leave out: those in the trash, and those that are not even there. */
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

const loaders = new WeakMap<QueryClient, DataLoader<string, void>>();

/** Fetches memories into the store: those asked for in one moment with one request. @throws ApiError */
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
    queryKey: keyOf(id),
    queryFn: async () => {
      await loadMemories(client, [id]);
      return recordOf(client, id)!;
    },
    staleTime: Infinity,
    structuralSharing: false,
    select: ({ shown }) => shown,
  });
}

/** A memory by its id; null when there is none. */
export type LoadedMemory = StoredMemory | 'loading' | { retry: () => void } | null;

export function useMemory(id: string): LoadedMemory {
  const client = useQueryClient();
  const query = { ...memoryQuery(client, id), enabled: id !== '' };
  const { data, isError, isFetching, refetch } = useQuery(query);
  if (data !== undefined) return data;
  return isError && !isFetching ? { retry: () => void refetch() } : 'loading';
}

/** It is loaded, and not deleted. */
export function isMemory(memory: LoadedMemory): memory is Memory {
  return memory !== null && memory !== 'loading' && 'id' in memory && !memory.deletedAt;
}
