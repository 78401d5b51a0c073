import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { loadAll } from '../lib/routing/load-later.tsx';
import { trackFocus } from '../ui/focus.ts';
import { currentToast, dismissToast } from '../ui/toasts/toast-store.ts';
import { Toaster } from '../ui/toasts/toaster.tsx';
import { ConfirmProvider } from '../ui/dialogs/confirm-provider.tsx';

/** Call once per file of component tests; the file needs `@vitest-environment jsdom`. */
export function setUpComponents(): void {
  // As in a page that was opened a while ago.
  beforeAll(loadAll);
  let stop = () => {};
  beforeEach(() => void (stop = trackFocus()));
  afterEach(() => {
    cleanup();
    stop();
    for (let toast = currentToast(); toast; toast = currentToast()) dismissToast(toast.id);
  });
}

/** Renders a page with confirmation dialogs and toasts. */
export function showPage(content: ReactNode) {
  return { user: userEvent.setup(), ...render(content, { wrapper: Page }) };
}

function Page({ children }: { children: ReactNode }) {
  return (
    <>
      <ConfirmProvider>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </ConfirmProvider>
      <Toaster />
    </>
  );
}
