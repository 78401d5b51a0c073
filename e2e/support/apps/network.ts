import type { Page } from '@playwright/test';

const PATCHES = '**/api/memories/*';

/** Collects the bodies of PATCH requests. */
export function recordPatches(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** Call before the action that sends the request. */
export async function waitForResponseTo(page: Page, method: 'DELETE' | 'PATCH' | 'POST'): Promise<void> {
  await page.waitForResponse((response) => response.request().method() === method);
}

const EVENTS = '**/api/events';

export async function blockEvents(page: Page): Promise<void> {
  await page.route(EVENTS, (route) => route.abort());
}

/** Opens the page and waits for its event stream. */
export async function follow(page: Page, path: string): Promise<Page> {
  const following = page.waitForResponse(EVENTS);
  await page.goto(path);
  await following;
  return page;
}

/** Aborts the next request of this method. */
export async function failOnce(page: Page, method: 'DELETE' | 'PATCH' = 'PATCH'): Promise<void> {
  let hasFailed = false;
  await page.route(PATCHES, (route) => {
    if (hasFailed || route.request().method() !== method) return route.fallback();
    hasFailed = true;
    return route.abort();
  });
}

/** Aborts requests for images. @returns the requested URLs, and the function that ends the blocking */
export async function blockImages(page: Page): Promise<{ asked: string[]; recover: () => void }> {
  const asked: string[] = [];
  let isLost = true;
  await page.route('**/objects/**', (route) => {
    if (!isLost) return route.fallback();
    asked.push(route.request().url());
    return route.abort();
  });
  return { asked, recover: () => (isLost = false) };
}

/** Delays one of the app's scripts until it is released. */
export async function holdScript(page: Page, name: string): Promise<{ release: () => void }> {
  let release = () => {};
  let isRequested = false;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(new RegExp(`/assets/${name}-[^/]*\\.js$`), async (route) => {
    isRequested = true;
    await released;
    await route.continue();
  });
  return {
    release: () => {
      // The build may have put it into another file.
      if (!isRequested) throw new Error(`No script ${name} was requested`);
      release();
    },
  };
}
