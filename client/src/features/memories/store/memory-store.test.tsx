// @vitest-environment jsdom
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import * as fc from 'fast-check';
import { useEffect, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { TIMEOUT } from '../../../testing/timeout.ts';
import { useTimeline } from '../timeline/use-timeline.ts';
import { refetchMemories } from './memory-mutations.ts';
import { useMemoryList, useMemoryPetCounts, useMemoryStats } from './memory-lists.ts';
import {
  useDeleteMemories,
  useDeleteMemory,
  useEditMemories,
  useRestoreMemories,
  useRestoreMemory,
  useUpdateMemory,
  type BulkEdit,
} from './memory-mutations.ts';
import {
  changeMemory,
  getMemory,
  isLoadedMemory,
  storeMemory,
  tick,
  useMemory,
  type MemoryFilter,
} from './memory-store.ts';
import { stubIntersectionObserver } from '../../../testing/stub-observers.ts';

const REX = '0191c0de-0000-7000-8000-0000000000f1';
const MILO = '0191c0de-0000-7000-8000-0000000000f2';
const idOf = (number: number) => `0191c0de-0000-7000-8000-00000000000${number}`;
const SNOW = idOf(2);
const NEW = '0191c0de-0000-7000-8000-0000000000aa';

const memory = (number: number, details: Partial<Memory>) =>
  someMemory({
    id: idOf(number),
    createdAt: `2026-0${number}-15T12:00:00.000Z`,
    memoryDate: null,
    isLiked: false,
    ...details,
  });
const album = () => [
  memory(3, { caption: 'Lake', petId: MILO }),
  memory(2, { caption: 'Snow', petId: REX }),
  memory(1, { caption: 'Snow at home', petId: REX }),
];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Card({ id, onRender }: { id: string; onRender?: (memory: Memory) => void }) {
  const memory = useMemory(id);
  useEffect(() => {
    if (isLoadedMemory(memory)) onRender?.(memory);
  });
  if (memory === null || memory === 'loading' || 'retry' in memory) return <i>loading</i>;
  return <i>{`${memory.caption}${memory.isLiked ? ' ♥' : ''}`}</i>;
}

function List({ name, filter }: { name: string; filter: MemoryFilter }) {
  const [{ ids }] = useMemoryList(filter);
  return (
    <div aria-label={name}>
      {ids?.map((id) => (
        <Card key={id} id={id} />
      ))}
    </div>
  );
}

function Timeline() {
  const [{ layout, itemAt, onView }] = useTimeline('added');
  useEffect(() => onView(0, 20));
  return (
    <div aria-label="timeline">
      {layout.sections.flatMap((section) =>
        Array.from({ length: section.count }, (_, position) => {
          const item = itemAt(section, position);
          return item && typeof item === 'object' && 'id' in item ? (
            <Card key={item.id} id={item.id} />
          ) : null;
        }),
      )}
    </div>
  );
}

/** Like the picker, the flipbook and the dialog. */
function ById({ onRender }: { onRender: (memory: Memory) => void }) {
  const memory = useMemory(SNOW);
  return (
    <div aria-label="by id">
      {isLoadedMemory(memory) ? <Card id={SNOW} onRender={onRender} /> : <i>gone</i>}
    </div>
  );
}

function Stats() {
  const { data } = useMemoryStats({});
  const counts = useMemoryPetCounts();
  return (
    <>
      <p aria-label="stats">{data?.total}</p>
      <p aria-label="of Milo">{counts && (counts.get(MILO)?.count ?? 0)}</p>
    </>
  );
}

interface Actions {
  update: (changes: Partial<Memory>) => Promise<unknown>;
  remove: () => Promise<unknown>;
  restore: () => Promise<unknown>;
  /** Of the two of Rex. */
  updateBoth: (changes: Omit<BulkEdit, 'ids'>) => Promise<unknown>;
  removeBoth: () => Promise<unknown>;
  restoreBoth: () => Promise<unknown>;
}

let actions: Actions;
function Mutations() {
  const { mutateAsync: update } = useUpdateMemory();
  const { mutateAsync: remove } = useDeleteMemory();
  const { mutateAsync: restore } = useRestoreMemory();
  const { mutateAsync: edit } = useEditMemories();
  const { mutateAsync: removeAll } = useDeleteMemories();
  const { mutateAsync: restoreAll } = useRestoreMemories();
  const both = [SNOW, idOf(1)];
  useEffect(() => {
    actions = {
      updateBoth: (changes) => edit({ edits: [{ ids: both, ...changes }] }),
      removeBoth: () => removeAll(both),
      restoreBoth: () => restoreAll(both),
      update: (changes) => update({ id: SNOW, changes }),
      remove: () => remove(album()[1]!),
      restore: () => restore(album()[1]!),
    };
  });
  return null;
}

const screens: Record<string, MemoryFilter> = {
  gallery: {},
  'of Rex': { petId: REX },
  search: { q: 'Snow' },
  taken: { order: 'taken' },
  loved: { isLiked: true },
  trash: { isDeleted: true },
};

function renderScreens(client: QueryClient, onRender: (memory: Memory) => void = () => {}): void {
  render(
    <QueryClientProvider client={client}>
      {Object.entries(screens).map(([name, filter]) => (
        <List key={name} name={name} filter={filter} />
      ))}
      <Timeline />
      <ById onRender={onRender} />
      <Stats />
      <Mutations />
    </QueryClientProvider>,
  );
}

function shown(name: string): string[] {
  return [...screen.getByLabelText(name).querySelectorAll('i')].map(({ textContent }) => textContent);
}

function expectToAgreeWith(server: MemoryServer): void {
  const texts = (memories: Memory[]) =>
    memories.map(({ caption, isLiked }) => `${caption}${isLiked ? ' ♥' : ''}`);
  const actual = Object.fromEntries(
    [...Object.keys(screens), 'timeline', 'by id'].map((name) => [name, shown(name)]),
  );
  const snow = server.memories.filter(({ id }) => id === SNOW);
  const figures = ['stats', 'of Milo'].map((name) => [name, screen.getByLabelText(name).textContent]);
  expect({ ...actual, ...(Object.fromEntries(figures) as Record<string, string>) }).toEqual({
    gallery: texts(server.list({})),
    'of Rex': texts(server.list({ petId: REX })),
    search: texts(server.list({ q: 'Snow' })),
    taken: texts(server.list({ order: 'taken' })),
    loved: texts(server.list({ isLiked: 'true' })),
    'of Milo': String(server.memories.filter(({ petId }) => petId === MILO).length),
    trash: texts(server.deleted),
    timeline: texts(server.list({})),
    'by id': snow.length > 0 ? texts(snow) : ['gone'],
    stats: String(server.memories.length),
  });
}

interface Scenario {
  /** Changes in this tab, in sequence. */
  here?: ((actions: Actions) => Promise<unknown>)[];
  /** A concurrent change in another tab. */
  elsewhere?: (server: MemoryServer) => void;
  isFailing?: boolean;
}

const scenarios: Record<string, Scenario> = {
  'a like': { here: [(now) => now.update({ isLiked: true })] },
  'a like and its removal': {
    here: [(now) => now.update({ isLiked: true }), (now) => now.update({ isLiked: false })],
  },
  'a like that fails': { here: [(now) => now.update({ isLiked: true })], isFailing: true },
  'an edit that a search no longer finds': { here: [(now) => now.update({ caption: 'Rain' })] },
  'an edit of the pet': { here: [(now) => now.update({ petId: MILO })] },
  'an edit of the date': { here: [(now) => now.update({ memoryDate: '2030-01-01' })] },
  'a deletion': { here: [(now) => now.remove()] },
  'a deletion that fails': { here: [(now) => now.remove()], isFailing: true },
  'a deletion that is undone': { here: [(now) => now.remove(), (now) => now.restore()] },
  'a pet for two': { here: [(now) => now.updateBoth({ petId: MILO })] },
  'a pet for two that fails': { here: [(now) => now.updateBoth({ petId: MILO })], isFailing: true },
  'a pet for two that is undone': {
    here: [(now) => now.updateBoth({ petId: MILO }), (now) => now.updateBoth({ petId: REX })],
  },
  'a date for two and a like of one': {
    here: [(now) => now.updateBoth({ memoryDate: '2030-01-01' }), (now) => now.update({ isLiked: true })],
  },
  'a deletion of two': { here: [(now) => now.removeBoth()] },
  'a deletion of two that fails': { here: [(now) => now.removeBoth()], isFailing: true },
  'a deletion of two that is undone': { here: [(now) => now.removeBoth(), (now) => now.restoreBoth()] },
  'a change elsewhere': {
    elsewhere: (server) => server.edit(SNOW, { caption: 'Snow again', isLiked: true }),
  },
  'a change of the pet elsewhere': { elsewhere: (server) => server.edit(SNOW, { petId: MILO }) },
  'a deletion elsewhere': { elsewhere: (server) => server.delete(SNOW) },
  'a new memory elsewhere': {
    elsewhere: (server) =>
      server.create(memory(4, { caption: 'Snow today', petId: REX, createdAt: new Date().toISOString() })),
  },
  'a like here and an edit elsewhere': {
    here: [(now) => now.update({ isLiked: true })],
    elsewhere: (server) => server.edit(SNOW, { caption: 'Snow again' }),
  },
  'a like here and a deletion elsewhere': {
    here: [(now) => now.update({ caption: 'Snow again' })],
    elsewhere: (server) => server.delete(idOf(1)),
  },
};

describe('all screens agree with the server for any order of requests and responses, after', () => {
  it.each(Object.entries(scenarios))('%s', async (_name, { here = [], elsewhere, isFailing = false }) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler({ act }), async (scheduler) => {
        const server = new MemoryServer(album());
        let isRacing = false;
        const take = async (label: string) => {
          if (isRacing) await scheduler.schedule(Promise.resolve(), label);
        };
        vi.stubGlobal('fetch', async (path: string, options: { method?: string; body?: string }) => {
          await take(`request ${path}`);
          const response = await server.fetch(path, options);
          await take(`response ${path}`);
          return response;
        });
        const client = createQueryClient(() => {});
        renderScreens(client);
        await act(() => vi.waitFor(() => expectToAgreeWith(server), TIMEOUT));

        server.isFailing = isFailing;
        server.onChange = (id) =>
          void take(`event ${id}`)
            .then(() => refetchMemories(client, [id]))
            .catch(() => {});
        isRacing = true;
        // Responses requested before the change are in flight.
        void client.invalidateQueries();
        const done = Promise.allSettled([
          ...here.map((change) => change(actions)),
          elsewhere && take('elsewhere').then(() => elsewhere(server)),
        ]);
        // Rendering may send more requests.
        for (let isIdle = false; !isIdle; isIdle = scheduler.count() === 0) {
          await scheduler.waitIdle();
          await act(() =>
            vi.waitFor(() => expect(client.isFetching() === 0 || scheduler.count() > 0).toBe(true), TIMEOUT),
          );
        }
        await act(() => done);
        isRacing = false;
        // A request that rendering sent since.
        await scheduler.waitIdle();
        await act(() => vi.waitFor(() => expectToAgreeWith(server), TIMEOUT));
        cleanup();
        client.clear();
      }),
      { numRuns: 10 },
    );
  });
});

describe('a response', () => {
  const before = () => album()[1]!;
  const liked = () => ({ ...before(), isLiked: true });
  let client: QueryClient;
  let server: MemoryServer;
  beforeEach(() => {
    client = createQueryClient(() => {});
    server = new MemoryServer([liked()]);
    vi.stubGlobal('fetch', server.fetch);
    storeMemory(client, SNOW, before(), tick());
  });
  const isLiked = () => getMemory(client, SNOW)?.isLiked;
  const caption = () => getMemory(client, SNOW)?.caption;

  it('requested before a change and stored while it is pending does not override the change', () => {
    const requestedAt = tick();
    changeMemory(client, SNOW, { isLiked: true });
    storeMemory(client, SNOW, before(), requestedAt);
    expect(isLiked()).toBe(true);
  });

  it('requested while a change is pending updates the other fields', async () => {
    const finish = changeMemory(client, SNOW, { isLiked: true });
    storeMemory(client, SNOW, { ...before(), caption: 'From elsewhere' }, tick());
    expect([isLiked(), caption()]).toEqual([true, 'From elsewhere']);
    finish('failed');
    expect([isLiked(), caption()]).toEqual([false, 'From elsewhere']);
    // Only the response may have been lost.
    await vi.waitFor(() => expect(isLiked()).toBe(true), TIMEOUT);
  });

  it.each(['before a change', 'while a change is pending'])(
    'requested %s and stored after it is dropped, and the memory is refetched',
    async (when) => {
      let requestedAt = tick();
      const finish = changeMemory(client, SNOW, { isLiked: true });
      if (when !== 'before a change') requestedAt = tick();
      finish(liked());
      server.memories = [{ ...liked(), caption: 'From elsewhere' }];
      storeMemory(client, SNOW, before(), requestedAt);
      expect(isLiked()).toBe(true);
      await vi.waitFor(() => expect(caption()).toBe('From elsewhere'), TIMEOUT);
      expect(server.requests).toEqual([`GET /api/memories?ids=${SNOW}`]);
    },
  );

  it('requested after a change is stored', () => {
    changeMemory(client, SNOW, { isLiked: true })(liked());
    storeMemory(client, SNOW, before(), tick());
    expect(isLiked()).toBe(false);
  });

  it('older than the stored one is dropped', () => {
    const [first, second] = [tick(), tick()];
    storeMemory(client, SNOW, liked(), second);
    storeMemory(client, SNOW, before(), first);
    expect(isLiked()).toBe(true);
  });

  it('equal to the cached memory keeps the object, so that nothing renders', () => {
    const cached = getMemory(client, SNOW);
    storeMemory(client, SNOW, before(), tick());
    expect(getMemory(client, SNOW)).toBe(cached);
  });

  it('to the first of two changes keeps the second one pending', () => {
    const finishFirst = changeMemory(client, SNOW, { isLiked: true });
    changeMemory(client, SNOW, { isLiked: false, caption: 'Second' });
    finishFirst(liked());
    expect([isLiked(), caption()]).toEqual([false, 'Second']);
  });

  it('to each of two changes leaves none pending', () => {
    const finishFirst = changeMemory(client, SNOW, { isLiked: true });
    const finishSecond = changeMemory(client, SNOW, { isLiked: false });
    finishFirst(liked());
    finishSecond(before());
    storeMemory(client, SNOW, liked(), tick());
    expect(isLiked()).toBe(true);
  });

  it('to a change that arrives after a newer response refetches the memory', async () => {
    const finish = changeMemory(client, SNOW, { isLiked: true });
    server.memories = [{ ...liked(), caption: 'From elsewhere' }];
    storeMemory(client, SNOW, server.memories[0]!, tick());
    finish(liked());
    await vi.waitFor(() => expect(caption()).toBe('From elsewhere'), TIMEOUT);
  });
});

it('a like never flickers, and its echo renders nothing', async () => {
  const server = new MemoryServer(album());
  vi.stubGlobal('fetch', server.fetch);
  const client = createQueryClient(() => {});
  const likes: boolean[] = [];
  renderScreens(client, ({ isLiked }) => likes.push(isLiked));
  await act(() => vi.waitFor(() => expectToAgreeWith(server), TIMEOUT));
  const lists = server.requests.length;
  likes.length = 0;
  await act(() => actions.update({ isLiked: true }));
  await act(() => vi.waitFor(() => expect(likes).toContain(true), TIMEOUT));
  expect(likes.filter((isLiked) => !isLiked)).toEqual([]);
  const renders = likes.length;
  await act(() => refetchMemories(client, [SNOW]));
  expect(likes).toHaveLength(renders);
  expect(server.requests.slice(lists)).toEqual([
    `PATCH /api/memories/${SNOW}`,
    'GET /api/memories?limit=100&isLiked=true',
    `GET /api/memories?ids=${SNOW}`,
  ]);
});

const manyMemories = (length: number) =>
  Array.from({ length }, (_, index) =>
    someMemory({
      id: `0191c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) - index * 3_600_000).toISOString(),
      caption: `Day ${index}`,
    }),
  );

function serve(memories: Memory[]) {
  const server = new MemoryServer(memories);
  vi.stubGlobal('fetch', server.fetch);
  const client = createQueryClient(() => {});
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const isIdle = () => act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0), TIMEOUT));
  return { server, client, wrapper, isIdle };
}

it('prepends are paused while the top is out of view, and only pages in view are fetched', async () => {
  const many = manyMemories(350);
  const { server, client, wrapper } = serve(many);
  const { result } = renderHook(() => useMemoryList({}), { wrapper });
  const list = () => result.current[0];
  await vi.waitFor(() => expect(list().ids).toHaveLength(100), TIMEOUT);
  act(() => list().onView(200, 240));
  await vi.waitFor(() => expect(list().ids).toHaveLength(300), TIMEOUT);
  expect(server.requests).toHaveLength(3);

  const isTopInView = stubIntersectionObserver();
  act(() => void result.current[1](document.createElement('div')));
  act(() => isTopInView(false));
  server.requests.length = 0;
  server.create(someMemory({ id: NEW, createdAt: new Date().toISOString(), caption: 'New' }));
  await act(() => refetchMemories(client, [NEW]));
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), TIMEOUT);
  expect(list().ids?.[0]).toBe(many[0]!.id);
  // Only the page in view, of three.
  expect(server.requests.filter((request) => !request.includes('ids='))).toHaveLength(1);

  act(() => {
    list().onView(0, 40);
    isTopInView(true);
  });
  await vi.waitFor(() => expect(list().ids?.[0]).toBe(NEW), TIMEOUT);
});

it.each([60, 100])('a list loads more when %i memories of its first page are deleted', async (count) => {
  const { server, client, wrapper, isIdle } = serve(manyMemories(250));
  const { result } = renderHook(() => useMemoryList({}), { wrapper });
  const list = () => result.current[0];
  await isIdle();
  act(() => list().onView(0, 49));
  const lengths = new Set<number | undefined>();
  for (const { id } of server.memories.slice(0, count)) {
    server.delete(id);
    await act(() => refetchMemories(client, [id]));
    lengths.add(list().ids?.length);
  }
  await isIdle();
  expect(list().ids?.length).toBeGreaterThanOrEqual(100);
  expect(lengths).not.toContain(0);
});

it('a timeline loads more when memories of its first page are deleted', async () => {
  const { server, client, wrapper, isIdle } = serve(manyMemories(250));
  const { result } = renderHook(() => useTimeline('added')[0], { wrapper });
  await isIdle();
  act(() => result.current.onView(0, 15));
  await isIdle();
  const ids = server.memories.slice(20, 110).map(({ id }) => id);
  for (const id of ids) server.delete(id);
  await act(() => refetchMemories(client, ids));
  act(() => result.current.onView(0, 30));
  await isIdle();
  const { layout, itemAt } = result.current;
  const items = layout.sections.flatMap((section) =>
    Array.from({ length: section.count }, (_, position) => itemAt(section, position)),
  );
  expect(items.slice(0, 28)).not.toContain('loading');
});
