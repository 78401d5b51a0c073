import type { Page } from '@playwright/test';

export const PATCHES = '**/api/memories/*';

/** The bodies of the changes that are sent, in their order. */
export function watchChanges(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** Once the server has answered the next call of this kind: begin before what sends it. */
export async function answered(page: Page, method: 'DELETE' | 'PATCH' | 'POST'): Promise<void> {
  await page.waitForResponse((response) => response.request().method() === method);
}

/** The page does not hear what is done elsewhere. */
export async function hearNothing(page: Page): Promise<void> {
  await page.route('**/api/events', (route) => route.abort());
}

/** The network swallows the next change, or deletion. */
export async function failOnce(page: Page, method: 'DELETE' | 'PATCH' = 'PATCH'): Promise<void> {
  let hasFailed = false;
  await page.route(PATCHES, (route) => {
    if (hasFailed || route.request().method() !== method) return route.fallback();
    hasFailed = true;
    return route.abort();
  });
}

/** Holds the first change back. @returns what lets it go on */
export async function holdFirstChange(page: Page): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  let isFirst = true;
  await page.route(PATCHES, async (route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false;
      await held;
    }
    await route.fallback();
  });
  return letThrough;
}

/** No picture can be had until it is called off. @returns the addresses that were asked for, and what calls it off */
export async function loseObjects(page: Page): Promise<{ asked: string[]; recover: () => void }> {
  const asked: string[] = [];
  let isLost = true;
  await page.route('**/objects/**', (route) => {
    if (!isLost) return route.fallback();
    asked.push(route.request().url());
    return route.abort();
  });
  return { asked, recover: () => (isLost = false) };
}
