import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyOfPhoto } from '../../server/testing/photos/photos.ts';
import { makePhonePhoto } from '../measure/measure-upload.ts';
import type { Tab } from './browser.ts';

const MIB = 1024 ** 2;
const SAMPLE_MS = 1000;

export type AddManyResult = {
  photos: number;
  megabytes: number;
  seconds: number;
  /** The most at a time that this page sends, without pictures. */
  requests: number;
  /** The largest heap of the page, without a garbage collection. */
  heapMib: number;
  /** The most elements in the page. */
  nodes: number;
};

/** Adds a folder of photos as phones take them, each with other bytes, on the page for many. */
export async function measureAddMany({ page, session }: Tab, photos: number): Promise<AddManyResult> {
  const folder = await mkdtemp(join(tmpdir(), 'mems-many-'));
  try {
    const photo = await makePhonePhoto();
    for (let n = 0; n < photos; n++) await writeFile(join(folder, `IMG_${n}.jpg`), copyOfPhoto(photo));
    let [heapMib, nodes] = [0, 0];
    await page.addInitScript(countRequests);
    await page.goto('/add-many', { waitUntil: 'networkidle' });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    const start = performance.now();
    await (await chooser).setFiles(folder);
    while ((await page.getByText('All done.').count()) === 0) {
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      heapMib = Math.max(heapMib, usedSize / MIB);
      nodes = Math.max(nodes, await page.evaluate(() => document.querySelectorAll('*').length));
      await delay(SAMPLE_MS);
    }
    const seconds = (performance.now() - start) / 1000;
    const added = `${photos.toLocaleString('en')} of ${photos.toLocaleString('en')} are in`;
    await page.getByRole('heading', { name: added }).waitFor();
    const requests = await page.evaluate(() => window.mostRequests);
    return { photos, megabytes: photo.length / 1e6, seconds, requests, heapMib, nodes };
  } finally {
    await rm(folder, { recursive: true });
  }
}

declare global {
  interface Window {
    mostRequests: number;
  }
}

/** In the page: its requests that have no response yet. */
function countRequests(): void {
  const send = window.fetch.bind(window);
  let pending = 0;
  window.mostRequests = 0;
  window.fetch = async (...parameters) => {
    window.mostRequests = Math.max(window.mostRequests, ++pending);
    try {
      return await send(...parameters);
    } finally {
      pending--;
    }
  };
}
