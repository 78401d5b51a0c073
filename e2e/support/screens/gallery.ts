import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { now } from '../clock.ts';
import { addPastMemories } from '../past-memories.ts';
import { smallPhoto } from './photos.ts';

export const SEARCHES = '**/api/memories/search?*';
const LISTS = '**/api/memories?*';

export function search(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search mems' });
}

export function petFilter(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Pet' });
}

export function view(page: Page, name: 'Grid' | 'List'): Locator {
  return page.getByRole('radio', { name });
}

export function memories(page: Page): Locator {
  return page.getByRole('region', { name: 'Memories' });
}

export function memory(page: Page, caption: string): Locator {
  return memories(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(caption, { exact: true }) });
}

/** Expects these captions in this order. */
export async function expectShown(page: Page, captions: string[]): Promise<void> {
  const tiles = memories(page).getByRole('listitem');
  await expect(tiles).toHaveCount(captions.length);
  for (const [index, caption] of captions.entries()) await expect(tiles.nth(index)).toContainText(caption);
}

/** Inserts memories of one photo; the last is the newest. Nothing is sent to contacts. */
export async function addMemories(page: Page, captions: string[]): Promise<void> {
  // In equal moments, the ids decide the order.
  const createdAt = now().toISOString();
  await addPastMemories(
    page,
    [await smallPhoto()],
    captions.map((caption) => ({ caption, createdAt })),
  );
}

/** Delays lists without a search. @returns a function that releases them */
export async function holdLists(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(LISTS, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
