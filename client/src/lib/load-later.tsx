import { lazy, Suspense, type FunctionComponent } from 'react';

/** The first photos come first. */
const DELAY_MS = 2000;

const pageIsShown = new Promise<void>((resolve) => {
  // Not in Node, where tests render markup.
  if (typeof window !== 'undefined') window.addEventListener('load', () => setTimeout(resolve, DELAY_MS));
});

/**
 * A component that no page shows at first, such as a dialog. Its code is loaded after the page, so that it is there
 * without a connection, too, or as soon as it is rendered.
 */
export function loadLater<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const Component = lazy(async () => ({ default: await load() }));
  void pageIsShown.then(load).catch(() => undefined);
  return function LoadedLater(props) {
    return (
      <Suspense>
        <Component {...props} />
      </Suspense>
    );
  };
}
