import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Memory } from '#shared/album/memory';
import { signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../../support/fixtures.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

/** By the page: it repeats a request whose connection the server has just closed. */
const stored = (page: Page) =>
  page.evaluate(async () => (await (await fetch('/api/memories?limit=1000')).json()) as Memory[]);
const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });

/** A folder of photos, the later ones named by day. */
async function makeFolder(path: string, count: number): Promise<string> {
  await mkdir(path, { recursive: true });
  for (let n = 0; n < count; n++) {
    const { buffer } = await smallPhoto();
    await writeFile(join(path, n % 2 ? `IMG_201901${10 + n}_083059.jpg` : `rex ${n}.jpg`), buffer);
  }
  return path;
}

async function choose(page: Page, button: string | RegExp, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(files);
}

test(
  'a folder comes in, with its faults named, and is taken back',
  { tag: '@phone' },
  async ({ page, expectErrorResponse }, testInfo) => {
    expectErrorResponse('/api/memories/complete-upload');
    await signInAsNewUser(page);
    const folder = await makeFolder(testInfo.outputPath('dog'), 12);
    await writeFile(join(folder, 'notes.txt'), 'Rex');
    await writeFile(join(folder, 'empty.jpg'), '');
    await writeFile(join(folder, 'film.mp4'), 'film');
    await writeFile(join(folder, 'broken.jpg'), 'not a picture');
    await writeFile(join(folder, '.DS_Store'), 'hidden');
    await page.goto('/');
    await page.getByRole('link', { name: 'Add many' }).click();
    await expect(page.getByRole('heading', { name: 'Add many' })).toBeVisible();
    await choose(page, 'Choose a folder', folder);
    await expect(progress(page).getByRole('heading')).toHaveText('12 of 16 are in');
    await expect(progress(page)).toContainText('All done.');
    await expect(progress(page)).toContainText('4 files were not added.');
    for (const reason of [
      'This file is empty.',
      'Videos cannot be added, only photos.',
      'This file is not a photo.',
    ])
      await expect(progress(page)).toContainText(reason);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the list' }).click();
    expect((await saving).suggestedFilename()).toBe('not-added.csv');
    await expectNoViolations(page);
    const dates = (await stored(page)).map(({ memoryDate, dateSource }) => [
      memoryDate?.slice(0, 4),
      dateSource,
    ]);
    expect(dates.filter(([year]) => year === '2019')).toHaveLength(6);

    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(progress(page)).toBeHidden();
    await choose(page, 'Choose a folder', folder);
    await page.getByRole('button', { name: 'Here already 12' }).click();
    await page.getByRole('list', { name: 'Chosen files' }).getByRole('button').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await stored(page)).toHaveLength(12);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click();
    await expect(toast(page)).toContainText('12 photos taken back');
    expect(await stored(page)).toEqual([]);
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stored(page)).toHaveLength(12);
  },
);
