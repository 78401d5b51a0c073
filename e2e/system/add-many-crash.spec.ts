import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, type Locator, type Page } from '@playwright/test';
import type { KnownPhotos } from '#shared/transfers/upload';
import { makeTakeout } from '../../client/src/testing/takeout-zips.ts';
import { seededRandom } from '../../server/platform/seeded-random.ts';
import {
  createAppFolder,
  findProcesses,
  kill,
  removeAppFolder,
  startAndWait,
} from '../support/apps/lifecycle-app.ts';
import { makeManyPhotos } from '../support/many-photos.ts';
import { smallPhoto } from '../support/screens/photos.ts';

/** Of reloads and kills in turns. A long run: see bench/README.md. */
const CRASHES = Number(process.env['ADD_MANY_CRASHES'] ?? 4);
/** In the folder; the Takeout has some more. */
const PHOTOS = Number(process.env['ADD_MANY_PHOTOS'] ?? 8 * CRASHES);
/** `npm test` sets and prints it: another attempt makes the same choices. */
const SEED = Number(process.env['FAULTS_SEED'] ?? 1);
const MAX_PAUSE_MS = 1000;
const TIMEOUT_MS = 120_000 + PHOTOS * 600;
const MAX_HASHES = 1000;

test('a folder and a Takeout come in once, though the page is reloaded and the server killed at random moments', async ({
  page,
}, testInfo) => {
  test.setTimeout(2 * TIMEOUT_MS + CRASHES * 30_000);
  const random = seededRandom(SEED);
  const place = createAppFolder();
  try {
    const { address } = await startAndWait(place);
    /** Starts again where the page expects it. */
    const settings = { PORT: new URL(address).port };
    const ida = { email: 'ida@example.com', username: 'ida', password: 'correct horse' };
    expect((await page.request.post(`${address}/api/register`, { data: ida })).status()).toBe(201);
    const folder = testInfo.outputPath('dog');
    const { zips, photos: inTakeout } = await writeTakeout((name) => testInfo.outputPath(name));
    const hashes = [...(await makeManyPhotos(folder, PHOTOS)), ...inTakeout].map(sha256);
    const total = hashes.length.toLocaleString('en-US');
    const allIn = `${total} of ${total} are in`;
    const heading = page.getByRole('region', { name: 'Progress' }).getByRole('heading').first();
    const chooseAll = async (which: 'a' | 'the same') => {
      await choose(page, `Choose ${which} folder`, folder);
      await expect(heading).toHaveText(/ are in$/);
      await choose(page, 'Choose photos', zips);
      await page.getByRole('button', { name: `Add ${inTakeout.length} photos` }).click();
      await expect(heading).toHaveText(new RegExp(` of ${total} are in$`));
    };
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${address}/add-many`);
    const startedAt = performance.now();
    await chooseAll('a');
    const moments = Array.from({ length: CRASHES }, () => Math.floor(random() * hashes.length));
    for (const [n, moment] of moments.toSorted((a, b) => a - b).entries()) {
      await expect.poll(() => countIn(heading), { timeout: TIMEOUT_MS }).toBeGreaterThanOrEqual(moment);
      await pause(random() * MAX_PAUSE_MS);
      const isKill = n % 2 === 0;
      console.log(`${isKill ? 'kill' : 'reload'}: ${await heading.textContent()}`);
      if (isKill) {
        for (const pid of findProcesses(place)) kill(pid, 'SIGKILL');
        await startAndWait(place, settings);
      } else {
        await page.reload();
        await heading.waitFor();
        const isInterrupted = (await heading.textContent()) !== allIn;
        if (isInterrupted) await chooseAll('the same');
      }
    }
    await expect(heading).toHaveText(allIn, { timeout: TIMEOUT_MS });
    console.log(`${total} photos in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    const ids = (await (await page.request.get(`${address}/api/memories/ids`)).json()) as string[];
    expect(ids).toHaveLength(hashes.length);
    // Each with its own bytes, by the server's own hashes.
    expect((await findKnown(page, address, hashes)).toSorted()).toEqual(ids.toSorted());
  } finally {
    removeAppFolder(place);
  }
});

async function writeTakeout(
  outputPath: (name: string) => string,
): Promise<{ zips: string[]; photos: Uint8Array[] }> {
  const { parts, photos } = await makeTakeout(async () => new Uint8Array((await smallPhoto()).buffer));
  const zips = parts.map((_, index) => outputPath(`takeout-00${index + 1}.zip`));
  for (const [index, part] of parts.entries())
    await writeFile(zips[index]!, Buffer.from(await part.arrayBuffer()));
  return { zips, photos: photos.map(({ bytes }) => bytes) };
}

/** Of a heading like "12 of 60 are in". */
async function countIn(heading: Locator): Promise<number> {
  return Number((await heading.textContent())?.split(' ')[0]?.replace(',', ''));
}

async function choose(page: Page, button: string, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await chooser).setFiles(files);
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The memories that have these photos. */
async function findKnown(page: Page, address: string, hashes: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < hashes.length; start += MAX_HASHES) {
    const data = { hashes: hashes.slice(start, start + MAX_HASHES) };
    const response = await page.request.post(`${address}/api/uploads/known`, { data });
    found.push(...((await response.json()) as KnownPhotos).known.map(({ memoryId }) => memoryId));
  }
  return found;
}
