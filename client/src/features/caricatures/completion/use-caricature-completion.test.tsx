// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useReducer, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caricature, CaricatureStatus } from '#shared/album/caricature';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { someCaricature } from '../../../testing/some-caricature.ts';
import { currentToast, dismissToast } from '../../../ui/toasts/toast-store.ts';
import { useCaricatures } from '../caricature-api.ts';
import { celebrationReducer } from './celebration-reducer.ts';
import { useCaricatureCompletion } from './use-caricature-completion.ts';

const FIRST = '0191c0de-0000-7000-8000-000000000001';
const SECOND = '0191c0de-0000-7000-8000-000000000002';

/** The server's response, and the number of requests. */
let caricatures: Caricature[];
let calls: number;

beforeEach(() => {
  calls = 0;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => {
    calls++;
    return Promise.resolve(Response.json(caricatures));
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  const toast = currentToast();
  if (toast) dismissToast(toast.id);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const set = (...statuses: [string, CaricatureStatus][]) =>
  (caricatures = statuses.map(([id, status]) => someCaricature({ id, status })));
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The next poll, and rendering its answer. */
const poll = () => wait(1100);

/** The gallery's list and the dialog, in a page that was just loaded. */
async function openPage(initialProps = { isBlocked: false }) {
  const queryClient = createQueryClient(() => {});
  const { result, rerender, unmount } = renderHook(
    ({ isBlocked }) => {
      const { data } = useCaricatures('');
      const [celebration, dispatch] = useReducer(celebrationReducer, null);
      const current = useCaricatureCompletion({ caricatures: data, celebration, dispatch, isBlocked });
      return { celebration, current, dispatch };
    },
    {
      initialProps,
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      ),
    },
  );
  await wait(0);
  return {
    /** The caricature in the open dialog. */
    shown: () => (result.current.celebration?.isOpen ? result.current.current : undefined),
    isNew: () => result.current.celebration?.isNew,
    close: () => act(() => result.current.dispatch({ type: 'closed' })),
    start: (caricature: Caricature) => act(() => result.current.dispatch({ type: 'celebrated', caricature })),
    view: (caricature: Caricature) => act(() => result.current.dispatch({ type: 'viewed', caricature })),
    hold: (isBlocked: boolean) => rerender({ isBlocked }),
    unmount,
  };
}

describe('the completion of a caricature', () => {
  it('polls each second while one is generating, and stops when none is', async () => {
    set([FIRST, 'generating']);
    await openPage();
    await wait(3000);
    expect(calls).toBe(4);
    set([FIRST, 'completed']);
    await poll();
    const after = calls;
    await wait(5000);
    expect(calls).toBe(after);
  });

  it('is celebrated once', async () => {
    set([FIRST, 'generating']);
    const page = await openPage();
    expect(page.shown()).toBeUndefined();
    set([FIRST, 'completed']);
    await poll();
    expect([page.shown()?.id, page.isNew()]).toEqual([FIRST, true]);
    page.close();
    await wait(2500);
    expect(page.shown()).toBeUndefined();
  });

  it('shows in the dialog that was opened when it started', async () => {
    set([FIRST, 'generating']);
    const page = await openPage();
    page.start(caricatures[0]!);
    expect(page.shown()?.status).toBe('generating');
    set([FIRST, 'completed']);
    await poll();
    expect(page.shown()?.status).toBe('completed');
    page.close();
    await poll();
    expect(page.shown()).toBeUndefined();
  });

  it('is celebrated once after a reload', async () => {
    set([FIRST, 'generating']);
    (await openPage()).unmount();
    set([FIRST, 'completed']);
    const reloaded = await openPage();
    expect(reloaded.shown()?.id).toBe(FIRST);
    reloaded.unmount();
    expect((await openPage()).shown()).toBeUndefined();
  });

  it('is not celebrated in a tab that did not see it generating', async () => {
    set([FIRST, 'generating']);
    const page = await openPage();
    // Session storage is per tab.
    sessionStorage.clear();
    set([FIRST, 'completed']);
    await poll();
    expect((await openPage()).shown()).toBeUndefined();
    expect(page.shown()).toBeUndefined();
  });

  it('celebrates several caricatures in sequence', async () => {
    set([FIRST, 'generating'], [SECOND, 'generating']);
    const page = await openPage();
    set([FIRST, 'completed'], [SECOND, 'completed']);
    await poll();
    expect(page.shown()?.id).toBe(FIRST);
    page.close();
    expect(page.shown()?.id).toBe(SECOND);
    page.close();
    expect(page.shown()).toBeUndefined();
  });

  it('waits while another dialog is open', async () => {
    set([FIRST, 'generating'], [SECOND, 'completed']);
    const page = await openPage();
    page.view(caricatures[1]!);
    expect([page.shown()?.id, page.isNew()]).toEqual([SECOND, false]);
    set([FIRST, 'completed'], [SECOND, 'completed']);
    await poll();
    expect(page.shown()?.id).toBe(SECOND);
    page.hold(true);
    page.close();
    expect(page.shown()).toBeUndefined();
    page.hold(false);
    expect(page.shown()?.id).toBe(FIRST);
  });

  it('shows one error toast and closes the dialog on failure', async () => {
    set([FIRST, 'generating']);
    const page = await openPage();
    page.start(caricatures[0]!);
    set([FIRST, 'failed']);
    await poll();
    expect(page.shown()).toBeUndefined();
    expect(currentToast()).toMatchObject({
      title: 'Generation Failed',
      description: 'The AI service is experiencing high load. Please try again in a few minutes.',
    });
    dismissToast(currentToast()!.id);
    await wait(2500);
    (await openPage()).unmount();
    expect(currentToast()).toBeNull();
  });

  it('distinguishes caricatures of the same photo', async () => {
    set([FIRST, 'generating'], [SECOND, 'failed']);
    const page = await openPage();
    await poll();
    expect([page.shown(), currentToast()]).toEqual([undefined, null]);
  });

  it('closes the dialog of a caricature that was deleted elsewhere', async () => {
    set([FIRST, 'generating']);
    const page = await openPage();
    page.start(caricatures[0]!);
    set();
    await poll();
    expect(page.shown()).toBeUndefined();
    expect(currentToast()).toBeNull();
  });
});
