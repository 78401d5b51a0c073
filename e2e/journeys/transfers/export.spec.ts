import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { readZip } from '../../../server/testing/assertions/read-zip.ts';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import { inDatabase } from '../../support/apps/database.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { now } from '../../support/clock.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { openAlbumPage, photosOf } from '../../support/screens/album-page.ts';
import { createPet } from '../../support/screens/pets.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

/** What someone could write to attack the page. */
const INJECTION = `</script><script>window.injected = 1</script><img src=x onerror="window.injected=2">{{data}}`;

const countUnloaded = (page: Page) =>
  page
    .locator('#gallery img')
    .evaluateAll((images) => images.filter((each) => !(each as HTMLImageElement).naturalWidth).length);

/** Of various shapes, with texts of all kinds. */
async function addAlbum(page: Page): Promise<void> {
  const rex = await createPet(page, { name: 'Rex', species: 'dog' });
  const hostile = await createPet(page, { name: INJECTION.slice(0, 90), species: 'cat' });
  const shapes = [
    [800, 600],
    [600, 800],
    [900, 600],
    [640, 640],
    [1200, 400],
    [500, 900],
  ] as const;
  const photos = await Promise.all(shapes.map(([width, height]) => smallPhoto(width, height)));
  const createdAt = now().toISOString();
  await addPastMemories(page, photos, [
    {
      createdAt,
      caption: 'First snow, and he would not come in',
      petId: rex,
      tags: ['snow', 'winter'],
      memoryDate: '2024-12-03',
    },
    {
      createdAt,
      caption: 'Café by the sea #1 100% & more',
      petId: rex,
      tags: ['sea'],
      memoryDate: '2025-06-01',
    },
    { createdAt, caption: 'שלום, החבר הכי טוב שלי 🐶', petId: rex, memoryDate: '2025-07-11' },
    { createdAt, caption: INJECTION, petId: hostile, tags: ['<b>bold</b>'] },
    { createdAt, memoryDate: '2023-02-11' },
    { createdAt, caption: 'A long walk. '.repeat(20), petId: rex, memoryDate: '2024-03-01' },
  ]);
}

async function extract(zip: string, folder: string): Promise<string[]> {
  const { files } = await readZip(await readFile(zip));
  for (const [path, bytes] of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return [...files.keys()];
}

test('an owner exports everything, and its page opens from the disk without a network', async ({
  page,
  expectErrorResponse,
}, testInfo) => {
  expectErrorResponse('/api/exports/');
  const user = await signInAsNewUser(page);
  await page.request.patch('/api/user', { data: { firstName: `Mara ${INJECTION}`.slice(0, 100) } });
  await addAlbum(page);
  const folder = testInfo.outputPath('export');

  await test.step('the zip is downloaded after confirming the password', async () => {
    const start = page.getByRole('button', { name: 'Export everything' });
    await page.goto('/account');
    await expect(start).toBeVisible();
    await page.getByRole('link', { name: 'Export everything' }).click();
    await expect(start).toBeInViewport();
    await start.click();
    await expect(page.getByText('Your export is ready.')).toBeVisible({ timeout: 60_000 });
    await expectNoViolations(page);

    // The password was entered long ago.
    await inDatabase(
      `update sessions set sess = sess - 'identityConfirmedAt' where owner_id = (select id from users where email = $1)`,
      [user.email],
    );
    await page.getByRole('button', { name: /^Download \(/ }).click();
    const identityDialog = page.getByRole('dialog', { name: 'Is it you?' });
    await identityDialog.getByLabel('Password').fill(user.password);
    const download = page.waitForEvent('download');
    await identityDialog.getByRole('button', { name: 'Continue' }).click();
    expect((await download).suggestedFilename()).toMatch(/^mems-export-\d{4}-\d{2}-\d{2}\.zip$/);
    const paths = await extract(await (await download).path(), folder);
    expect(paths.some((path) => path.includes('First snow'))).toBe(true);
  });

  await test.step('its gallery, search, viewer and print show texts as text only', async () => {
    const requests = await openAlbumPage(page, folder);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Mara </script>');
    await expect(page.getByText('6 memories, 2 pets')).toBeVisible();
    await expect(photosOf(page)).toHaveCount(6);
    await expect(page.locator('#gallery h2')).toHaveText([
      String(now().getFullYear()),
      '2025',
      '2024',
      '2023',
    ]);
    await page.getByText('Saved on').scrollIntoViewIfNeeded();
    await expect.poll(() => countUnloaded(page)).toBe(0);
    await page.evaluate(() => scrollTo(0, 0));
    await expectNoViolations(page);
    await page.screenshot({ path: testInfo.outputPath('album.png'), fullPage: true });

    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('cafe SEA');
    await expect(photosOf(page)).toHaveCount(1);
    await expect(page.getByRole('status')).toHaveText('1 photo found');
    await search.fill('rex 2024');
    await expect(photosOf(page)).toHaveCount(2);
    await search.fill('nothing like this');
    await expect(page.getByRole('status')).toHaveText('Nothing found. Try another word.');
    await search.fill('');
    await page.getByRole('combobox', { name: 'Pet' }).selectOption({ label: 'Rex' });
    await expect(photosOf(page)).toHaveCount(4);

    // By keyboard.
    await photosOf(page).first().focus();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog');
    await expect(viewer).toHaveAccessibleName('שלום, החבר הכי טוב שלי 🐶');
    await page.keyboard.press('ArrowRight');
    await expect(viewer.getByRole('heading')).toHaveText('Café by the sea #1 100% & more');
    const shown = viewer.getByRole('img');
    await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(600);
    await expectNoViolations(page);
    await page.screenshot({ path: testInfo.outputPath('viewer.png') });
    await page.keyboard.press('Escape');
    await expect(viewer).toBeHidden();
    await expect(photosOf(page).nth(1)).toBeFocused();

    await page.emulateMedia({ media: 'print' });
    await expect(search).toBeHidden();
    await expect(photosOf(page).first()).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('print.png'), fullPage: true });
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.screenshot({ path: testInfo.outputPath('dark.png') });

    expect(await page.evaluate(() => 'injected' in window)).toBe(false);
    await expect(page.locator('#gallery b, #gallery script, img[src="x"]')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(requests).toEqual([]);
  });
});
