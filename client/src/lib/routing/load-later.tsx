import { lazy, Suspense, useState, type FunctionComponent, type ReactNode } from 'react';

/** After the window's `load`, so that the first photos come first. */
const DELAY_MS = 2000;
const RETRY_MS = 3000;

const loads: (() => Promise<unknown>)[] = [];
let isPageShown = false;

// Tests render markup in Node.
if (typeof window !== 'undefined') {
  window.addEventListener('load', () =>
    setTimeout(() => {
      isPageShown = true;
      loadAll().catch(() => undefined);
    }, DELAY_MS),
  );
}

/** Loads all code that `loadLater` has delayed. */
export async function loadAll(): Promise<void> {
  await Promise.all(loads.map((load) => load()));
}

/** Calls it two seconds after `load`, or now if they are over. */
export function afterFirstPhotos(load: () => Promise<unknown>): void {
  loads.push(load);
  if (isPageShown) load().catch(() => undefined);
}

/**
 * A component that no page shows at first, such as a dialog. Its code is loaded after the page, so that it is there
 * without a connection, too, or as soon as it is rendered. `waiting` is rendered until then.
 */
export function loadLater<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  waiting: ReactNode = null,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  const loadOnce = async () => {
    await untilOnline();
    return (loaded ??= await load());
  };
  const Component = lazy(async () => ({ default: await withRetries(loadOnce) }));
  afterFirstPhotos(loadOnce);
  return function LoadedLater(props) {
    // Without a suspension, so that a key right after the opening reaches what was opened.
    const [Loaded] = useState(() => loaded);
    if (Loaded) return <Loaded {...props} />;
    return (
      <Suspense fallback={waiting}>
        <Component {...props} />
      </Suspense>
    );
  };
}

/** Never rejects: the error would replace the page by a notice, and without a toaster the whole app by nothing. */
async function withRetries<Result>(load: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function untilOnline(): Promise<void> {
  if (!navigator.onLine)
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
}
