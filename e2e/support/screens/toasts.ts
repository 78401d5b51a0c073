import type { Page, Request } from '@playwright/test';

/** Toasts stay until they are dismissed: timers of five seconds or more never fire. Call before opening the page. */
export async function keepToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const schedule = window.setTimeout.bind(window);
    const withoutLongOnes = (handler: TimerHandler, delay = 0, ...values: unknown[]) =>
      delay < 5000 ? schedule(handler, delay, ...values) : 0;
    window.setTimeout = withoutLongOnes as typeof window.setTimeout;
  });
}

/** Answers the redirect to the sign-in page with 204, so that the page and its toast stay. @returns the request of the redirect */
export async function holdSignInRedirect(page: Page): Promise<() => Promise<Request>> {
  const isRedirect = (request: Request) => request.method() === 'GET' && request.url().endsWith('/api/login');
  const redirect = page.waitForRequest(isRedirect);
  await page.route('**/api/login', (route) =>
    isRedirect(route.request()) ? route.fulfill({ status: 204 }) : route.fallback(),
  );
  return () => redirect;
}
