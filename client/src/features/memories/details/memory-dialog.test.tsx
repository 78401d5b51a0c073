// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pet } from '#shared/album/pet';
import { toImageSources } from '../../../lib/image-sources.ts';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { TIMEOUT } from '../../../testing/timeout.ts';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { somePet } from '../../../testing/some-pet.ts';
import { currentToast, dismissToast } from '../../../ui/toasts/toast-store.ts';
import { discardAllDrafts } from '../../drafts/form-drafts.tsx';
import { useMemoryList } from '../store/memory-lists.ts';
import { isLoadedMemory, useMemory } from '../store/memory-store.ts';
import type { NavigableList } from './lightbox-navigation.ts';
import { MemoryDialog } from './memory-dialog.tsx';
import { useMemoryDialog, type MemoryActions } from './use-memory-dialog.ts';

const rex = somePet({ id: '01980000-0000-7000-8000-0000000000f1', name: 'Rex', species: 'dog' });
const milo = somePet({ id: '01980000-0000-7000-8000-0000000000f2', name: 'Milo', species: 'cat' });
const album = () => [
  someMemory({
    id: '01980000-0000-7000-8000-000000000002',
    caption: 'At the lake',
    isLiked: false,
    petId: rex.id,
    memoryDate: '2026-03-01T17:30',
  }),
  someMemory({ id: '01980000-0000-7000-8000-000000000001', caption: 'Snow' }),
];

let server: MemoryServer;
/** The bodies of PATCH requests. */
let changes: unknown[];
/** The next PATCH waits for it. */
let hold: Promise<void> | null;
let pets: Pet[];

setUpComponents();
// isolate: false shares TanStack Query with files that run without a browser.
beforeEach(() => {
  server = new MemoryServer(album());
  changes = [];
  hold = null;
  pets = [milo, rex];
  vi.stubGlobal('fetch', respond);
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  // jsdom has no animations.
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion'),
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  discardAllDrafts();
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function respond(path: string, options: { method?: string; body?: string } = {}): Promise<Response> {
  if (path.startsWith('/api/pets')) return Response.json(pets);
  if (path.endsWith('/share')) return Response.json(null);
  if (!path.startsWith('/api/memories')) return Response.json({ message: 'Not found' }, { status: 404 });
  if (options.method === 'PATCH') {
    changes.push(JSON.parse(options.body ?? '{}'));
    const waiting = hold;
    hold = null;
    const isFailing = server.isFailing;
    server.isFailing = false;
    await waiting;
    server.isFailing = isFailing;
  }
  return server.fetch(path, options);
}

function Album() {
  const [{ ids = [], error }] = useMemoryList({});
  return (
    <Memories
      ids={ids}
      list={{ count: ids.length, at: (index) => ids[index], errorAt: () => error, reveal: () => {} }}
    />
  );
}

/** Its next page fails before React renders that it is loading. */
function CutAlbum() {
  const [{ ids = [] }] = useMemoryList({});
  const [error, setError] = useState(() => new Error('Cut'));
  const reveal = () => setError(new Error('Cut again'));
  return (
    <Memories
      ids={ids}
      list={{ count: ids.length + 1, at: (index) => ids[index], errorAt: () => error, reveal }}
    />
  );
}

function Memories({ ids, list }: { ids: string[]; list: NavigableList }) {
  const { actions, dialog } = useMemoryDialog(list);
  return (
    <>
      {ids.map((id, index) => (
        <Card key={id} id={id} position={index + 1} count={ids.length} actions={actions} />
      ))}
      {dialog && <MemoryDialog {...dialog} />}
    </>
  );
}

interface CardProps {
  id: string;
  position: number;
  count: number;
  actions: MemoryActions;
}

function Card({ id, position, count, actions }: CardProps) {
  const memory = useMemory(id);
  if (!isLoadedMemory(memory)) return null;
  return (
    <div role="listitem" aria-posinset={position} aria-setsize={count}>
      <button onClick={(event) => actions.open(memory, event.currentTarget)}>Open {memory.caption}</button>
      <button onClick={(event) => actions.edit(memory, event.currentTarget)}>Edit {memory.caption}</button>
      {memory.isLiked && <b>loved</b>}
    </div>
  );
}

async function openAlbum(album: ReactNode = <Album />) {
  const { user } = showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>{album}</QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Open At the lake' });
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  const fill = async (label: string, text: string) => {
    await user.clear(field(label));
    if (text) await user.type(field(label), text);
  };
  return { user, press, fill };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const pick = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const findDialog = (name: string) => screen.findByRole('dialog', { name });
const button = (name: string) => screen.getByRole('button', { name });
/** The text under a heading of the open memory. */
const detail = (name: string) =>
  screen.queryByRole('heading', { name })?.parentElement?.querySelector('p')?.textContent.replace(/\s/g, ' ');
const expectToast = (title: string, description?: string) =>
  waitFor(() => expect(currentToast()).toMatchObject({ title, ...(description && { description }) }));

describe('an edit', () => {
  it('sends only changed fields, and returns the focus to its button', async () => {
    const { press, fill } = await openAlbum();
    await press('Edit At the lake');
    expect(field('Tags').value).toBe('summer, beach');
    await fill('Caption', 'By the sea');
    await press('Save');
    await findDialog('By the sea');
    expect(document.activeElement).toBe(button('Edit Memory'));
    await expectToast('Memory Updated', 'Your memory has been successfully updated!');
    await press('Edit Memory');
    await fill('Tags', ' winter ,, snow ');
    await press('Save');
    await waitFor(() => expect(detail('The Story')).toBe('winter • snow'));
    expect(changes).toEqual([{ caption: 'By the sea' }, { tags: ['winter', 'snow'] }]);
  });

  it('without changes sends nothing, and Cancel discards changes', async () => {
    const { press, fill } = await openAlbum();
    await press('Edit At the lake');
    await press('Save');
    await press('Edit Memory');
    await fill('Caption', 'Something else');
    await press('Cancel');
    expect(document.activeElement).toBe(button('Edit Memory'));
    await press('Edit Memory');
    expect(field('Caption').value).toBe('At the lake');
    expect(changes).toEqual([]);
  });

  it('is shown before the response, and returns to its focused form if it fails', async () => {
    const { press, fill } = await openAlbum();
    let release = () => {};
    hold = new Promise((resolve) => (release = resolve));
    server.isFailing = true;
    await press('Edit At the lake');
    await fill('Caption', 'By the sea');
    fireEvent.change(field('Pet'), { target: { value: milo.id } });
    pick('Memory Date', '2026-03-02');
    await press('Save');
    await findDialog('By the sea');
    expect(detail('Featured Pet')).toBe('Milo the cat');
    expect(detail('When')).toBe('March 2, 2026 at 5:30 PM');
    release();
    await expectToast('Error', 'Failed to update memory');
    await findDialog('At the lake');
    await waitFor(() => expect(document.activeElement).toBe(field('Caption')));
    expect([field('Caption').value, field('Pet').value, field('Memory Date').value]).toEqual([
      'By the sea',
      milo.id,
      '2026-03-02',
    ]);
    await press('Save');
    await findDialog('By the sea');
    await expectToast('Memory Updated');
    const sent = { caption: 'By the sea', petId: milo.id, memoryDate: '2026-03-02' };
    expect(changes).toEqual([sent, sent]);
  });

  it('that fails says so even if the memory was liked since, and the like stays', async () => {
    const { press, fill } = await openAlbum();
    let release = () => {};
    hold = new Promise((resolve) => (release = resolve));
    server.isFailing = true;
    await press('Edit At the lake');
    await fill('Caption', 'By the sea');
    await press('Save');
    await press('Love');
    release();
    await expectToast('Error', 'Failed to update memory');
    await waitFor(() => expect(field('Caption').value).toBe('By the sea'));
    await press('Cancel');
    expect(button('Loved')).toBeTruthy();
    expect(changes).toEqual([{ caption: 'By the sea' }, { isLiked: true }]);
  });

  it('with a time needs a date', async () => {
    server = new MemoryServer([{ ...album()[0]!, memoryDate: null }]);
    const { press } = await openAlbum();
    await press('Edit At the lake');
    pick('Time', '10:00');
    await press('Save');
    await screen.findByText(/Please enter a date as well/);
    expect(document.activeElement).toBe(field('Memory Date'));
    pick('Memory Date', '2026-03-01');
    await press('Save');
    await waitFor(() => expect(detail('When')).toBe('March 1, 2026 at 10:00 AM'));
    expect(changes).toEqual([{ memoryDate: '2026-03-01T10:00' }]);
  });
});

it('a like that fails is taken back with a toast', async () => {
  const { press } = await openAlbum();
  await press('Open At the lake');
  server.isFailing = true;
  await press('Love');
  await expectToast('Error', 'Failed to update memory');
  await waitFor(() => expect(button('Love')).toBeTruthy());
  await press('Love');
  expect(button('Loved')).toBeTruthy();
  await waitFor(() => expect(within(document.body).getAllByText('loved')).toHaveLength(2));
});

it('a next memory that cannot be loaded is explained each time, however fast it fails', async () => {
  const { press } = await openAlbum(<CutAlbum />);
  await press('Open Snow');
  for (let presses = 0; presses < 2; presses += 1) {
    await press('Next memory');
    await expectToast('Failed to load memories', 'Please check your connection and try again.');
    act(() => dismissToast(currentToast()!.id));
  }
});

it('a photo comes from the side to which one turns, and stays still with reduced motion', async () => {
  const slides: unknown[] = [];
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  Element.prototype.animate = (frames) => {
    slides.push((frames as { transform: string[] }).transform[0]);
    return { cancel() {} } as Animation;
  };
  const { press } = await openAlbum();
  await press('Open Snow');
  expect(slides).toEqual([]);
  await press('Previous memory');
  await press('Next memory');
  expect(slides).toEqual(['translateX(-32px)', 'translateX(32px)']);
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  await press('Previous memory');
  expect(slides).toHaveLength(2);
  Reflect.deleteProperty(Element.prototype, 'animate');
});

it('a pet without a picture has the face of its newest photo', async () => {
  server = new MemoryServer([
    someMemory({ caption: 'At the lake', petId: rex.id, imageUrl: '/objects/newest' }),
  ]);
  const { press } = await openAlbum();
  await press('Open At the lake');
  const pet = await screen.findByRole('link', { name: 'Rex the dog' });
  await waitFor(() => expect(pet.querySelector('img')?.getAttribute('src')).toContain('/objects/newest'));
});

it('a pet that was added since the list was fetched is fetched, too', async () => {
  pets = [milo];
  const { press } = await openAlbum();
  await press('Edit At the lake');
  await waitFor(() => expect(field('Pet').textContent).toContain('Milo'));
  pets = [milo, rex];
  await press('Cancel');
  await waitFor(() => expect(detail('Featured Pet')).toBe('Rex the dog'));
});

const NOTICE = /Your unsaved changes are still here/;
const UNSAVED = 'You have unsaved changes.';

describe('a draft', () => {
  it.each([
    ['Escape', async ({ user }: Awaited<ReturnType<typeof openAlbum>>) => user.keyboard('{Escape}')],
    ['X', async ({ press }: Awaited<ReturnType<typeof openAlbum>>) => press('Close')],
  ])('is saved by %s for that memory only, until it is cancelled', async (_, leave) => {
    const page = await openAlbum();
    const { press, fill, user } = page;
    await press('Edit At the lake');
    await fill('Caption', 'Words of an hour');
    await leave(page);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await expectToast('Draft saved');
    await press('Edit Snow');
    expect(field('Caption').value).toBe('Snow');
    expect(screen.queryByText(NOTICE)).toBeNull();
    await user.keyboard('{Escape}');
    await press('Edit At the lake');
    expect(field('Caption').value).toBe('Words of an hour');
    expect(screen.getByText(NOTICE)).toBeTruthy();
    await press('Cancel');
    await press('Edit Memory');
    expect(field('Caption').value).toBe('At the lake');
  });

  it('is announced in its memory until it is saved', async () => {
    const { press, fill, user } = await openAlbum();
    await press('Edit At the lake');
    await fill('Caption', 'Words of an hour');
    await user.keyboard('{Escape}');
    await press('Open At the lake');
    expect(screen.getByText(UNSAVED)).toBeTruthy();
    await press('Next memory');
    expect(screen.queryByText(UNSAVED)).toBeNull();
    await press('Previous memory');
    await press('Edit Memory');
    await press('Save');
    await findDialog('Words of an hour');
    expect(screen.queryByText(UNSAVED)).toBeNull();
    await press('Edit Memory');
    expect(screen.queryByText(NOTICE)).toBeNull();
    expect(changes).toEqual([{ caption: 'Words of an hour' }]);
  });

  it('is left by a failed save', async () => {
    const { press, fill, user } = await openAlbum();
    server.isFailing = true;
    await press('Edit At the lake');
    await fill('Caption', 'Words of an hour');
    await press('Save');
    await expectToast('Error', 'Failed to update memory');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Edit At the lake');
    expect(field('Caption').value).toBe('Words of an hour');
  });
});

describe('a photo', () => {
  it.each([
    [true, 'its original, so that it moves'],
    [false, 'copies of it'],
  ])('that is animated: %s, is shown as %s, also full screen', async (isAnimated) => {
    // PhotoSwipe loads nothing into a window without a width.
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1024);
    const memory = someMemory({ caption: 'Snow', isAnimated });
    server = new MemoryServer([memory]);
    showPage(
      <QueryClientProvider client={createQueryClient(() => {})}>
        <Album />
      </QueryClientProvider>,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Open Snow' }));
    const sources = isAnimated
      ? { src: memory.imageUrl, hasCopies: false }
      : { src: toImageSources(memory.imageUrl).src, hasCopies: true };
    const sourcesOf = (image: Element | null) => ({
      src: image?.getAttribute('src'),
      hasCopies: image?.hasAttribute('srcset'),
    });
    const frame = await screen.findByRole('button', { name: 'View Snow full screen' });
    expect(sourcesOf(frame.querySelector('img'))).toEqual(sources);
    fireEvent.click(frame);
    await waitFor(() => expect(sourcesOf(document.querySelector('.lightbox img'))).toEqual(sources), TIMEOUT);
  });
});
