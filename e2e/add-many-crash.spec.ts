import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { seededRandom } from '../server/platform/seeded-random.ts';
import { createAppFolder, findProcesses, kill, removeAppFolder, startAndWait } from './lifecycle-app.ts';
import { smallPhoto } from './photos.ts';

/** Of reloads and kills in turns. `ADD_MANY_CRASHES=20` for a long run. */
const CRASHES = Number(process.env['ADD_MANY_CRASHES'] ?? 4);
const PHOTOS = 8 * CRASHES;
/** `npm test` sets and prints it: another attempt makes the same choices. */
const SEED = Number(process.env['FAULTS_SEED'] ?? 1);

test('a folder comes in once, though the page is reloaded and the server killed at random moments', async ({
  page,
}, testInfo) => {
  test.setTimeout(120_000 + CRASHES * 30_000);
  const random = seededRandom(SEED);
  const place = createAppFolder();
  try {
    const { address } = await startAndWait(place);
    /** Starts again where the page expects it. */
    const settings = { PORT: new URL(address).port };
    const ida = { email: 'ida@example.com', username: 'ida', password: 'correct horse' };
    expect((await page.request.post(`${address}/api/register`, { data: ida })).status()).toBe(201);
    const folder = testInfo.outputPath('dog');
    await mkdir(folder);
    for (let n = 0; n < PHOTOS; n++)
      await writeFile(join(folder, `rex ${n}.jpg`), (await smallPhoto()).buffer);
    const choose = async (button: string) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: button }).click();
      await (await chooser).setFiles(folder);
    };
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${address}/add-many`);
    await choose('Choose a folder');
    const heading = page.getByRole('region', { name: 'Progress' }).getByRole('heading').first();
    await heading.waitFor();
    for (let n = 0; n < CRASHES; n++) {
      await pause(random() * 1000);
      if (n % 2 === 0) {
        for (const pid of findProcesses(place)) kill(pid, 'SIGKILL');
        await startAndWait(place, settings);
      } else {
        await page.reload();
        await heading.waitFor();
        const isInterrupted = (await heading.textContent()) !== allIn();
        if (isInterrupted) await choose('Choose the same folder');
      }
    }
    await expect(heading).toHaveText(allIn(), { timeout: 120_000 });
    const ids = (await (await page.request.get(`${address}/api/memories/ids`)).json()) as string[];
    expect(ids).toHaveLength(PHOTOS);
  } finally {
    removeAppFolder(place);
  }
});

const allIn = () => `${PHOTOS} of ${PHOTOS} are in`;
