import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from '@playwright/test';

/** Opens the page of an extracted export without a network. @returns the requests that it would have needed */
export async function openAlbumPage(page: Page, folder: string): Promise<string[]> {
  const requests: string[] = [];
  await page.context().setOffline(true);
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) requests.push(request.url());
  });
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  return requests;
}

export function photosOf(page: Page): Locator {
  return page.locator('#gallery').getByRole('button');
}
