import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import pg from 'pg';
import type { Export } from '../shared/export.ts';
import { writeAlbumPage } from '../server/features/exports/album-page.ts';
import type { AlbumItem } from '../server/features/exports/album-spool.ts';
import { readZip } from '../server/testing/read-zip.ts';
import { expectNoViolations } from './axe.ts';
import { now } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { getDatabaseConfig } from './database.ts';
import { createMemory, smallPhoto } from './photos.ts';
import { registerUser, type NewUser } from './users.ts';

/** What someone could write to attack the page. */
const INJECTION = `</script><script>window.injected = 1</script><img src=x onerror="window.injected=2">{{data}}`;

async function inDatabase(text: string, { email }: NewUser): Promise<void> {
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  try {
    await database.query(text.replace('$owner', '(select id from users where email = $1)'), [email]);
  } finally {
    await database.end();
  }
}

const startButton = (page: Page) => page.getByRole('button', { name: 'Export everything' });
const downloadButton = (page: Page) => page.getByRole('button', { name: /^Download \(/ });

test('an owner exports everything, sees its progress, and downloads it after confirming the password', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/exports/');
  const user = await registerUser(page);
  await createMemory(page, await smallPhoto(), 'First snow');
  await page.goto('/account');
  await expect(startButton(page)).toBeVisible();
  await page.getByRole('link', { name: 'Export everything' }).click();
  await expect(startButton(page)).toBeInViewport();
  await expectNoViolations(page);
  await startButton(page).click();
  await expect(page.getByText('Your export is ready.')).toBeVisible({ timeout: 60_000 });
  await expectNoViolations(page);

  // The password was entered long ago.
  await inDatabase(`update sessions set sess = sess - 'provenAt' where owner_id = $owner`, user);
  await downloadButton(page).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByLabel('Password').fill(user.password);
  const download = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Continue' }).click();
  expect((await download).suggestedFilename()).toMatch(/^mems-export-\d{4}-\d{2}-\d{2}\.zip$/);
  const { files } = await readZip(await readFile(await (await download).path()));
  expect([...files.keys()].some((path) => path.includes('First snow'))).toBe(true);

  await inDatabase(
    `update exports set status = 'making', progress = 42, heartbeat_at = now() + interval '1 day'
       where owner_id = $owner`,
    user,
  );
  // As from the email.
  await page.goto('/gallery');
  await page.goto('/account#export');
  const progress = page.getByRole('progressbar', { name: 'Packing your album' });
  await expect(progress).toHaveAttribute('aria-valuenow', '42');
  await expect(progress).toBeInViewport();
  await expectNoViolations(page);

  // The page follows it.
  await inDatabase(`update exports set status = 'failed', finished_at = now() where owner_id = $owner`, user);
  await expect(page.getByText('We could not pack everything this time.')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(downloadButton(page)).toBeVisible({ timeout: 60_000 });
});

/** Makes the account's export and extracts it. */
async function extractExport(page: Page, folder: string): Promise<void> {
  expect((await page.request.post('/api/exports')).status()).toBe(202);
  let exported: Export | undefined;
  await expect
    .poll(
      async () => {
        [exported] = (await (await page.request.get('/api/exports')).json()) as Export[];
        return exported?.status;
      },
      { timeout: 60_000 },
    )
    .toBe('completed');
  for (const { url } of exported?.parts ?? []) {
    const { files } = await readZip(await (await page.request.get(url)).body());
    for (const [path, bytes] of files) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
  }
}

/** Without a network. @returns the requests that it would have needed */
async function openAlbum(page: Page, folder: string): Promise<string[]> {
  const requests: string[] = [];
  await page.context().setOffline(true);
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) requests.push(request.url());
  });
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  return requests;
}

const photos = (page: Page) => page.locator('#gallery').getByRole('button');
const countUnloaded = (page: Page) =>
  page
    .locator('#gallery img')
    .evaluateAll((images) => images.filter((each) => !(each as HTMLImageElement).naturalWidth).length);

test.describe('the album page of an export', () => {
  let folder: string;
  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mems-export-'));
  });
  test.afterEach(() => rm(folder, { recursive: true, force: true }));

  test('opens from the disk without a network: gallery, search, viewer and print', async ({
    page,
  }, testInfo) => {
    await registerUser(page);
    await page.request.patch('/api/user', { data: { firstName: `Mara ${INJECTION}`.slice(0, 100) } });
    const petOf = async (name: string, species: string) =>
      (
        (await (await page.request.post('/api/pets', { multipart: { name, species } })).json()) as {
          id: string;
        }
      ).id;
    const rex = await petOf('Rex', 'dog');
    const hostile = await petOf(INJECTION.slice(0, 90), 'cat');
    const stories = [
      {
        caption: 'First snow, and he would not come in',
        petId: rex,
        tags: 'snow, winter',
        memoryDate: '2024-12-03T08:30',
      },
      { caption: 'Café by the sea #1 100% & more', petId: rex, tags: 'sea', memoryDate: '2025-06-01' },
      { caption: 'שלום, החבר הכי טוב שלי 🐶', petId: rex, memoryDate: '2025-07-11' },
      { caption: INJECTION, petId: hostile, tags: '<b>bold</b>' },
      { caption: null, petId: null, memoryDate: '2023-02-11' },
      { caption: 'A long walk. '.repeat(20), petId: rex, memoryDate: '2024-03-01' },
    ];
    const sizes = [
      [800, 600],
      [600, 800],
      [900, 600],
      [640, 640],
      [1200, 400],
      [500, 900],
    ];
    for (const [index, story] of stories.entries()) {
      const [width, height] = sizes[index] ?? [];
      const { buffer } = await smallPhoto(width, height);
      const asked = await page.request.post('/api/objects/upload', {
        data: { contentType: 'image/jpeg', size: buffer.length },
      });
      const { uploadURL } = (await asked.json()) as { uploadURL: string };
      await page.request.put(uploadURL, { data: buffer, headers: { 'Content-Type': 'image/jpeg' } });
      const made = await page.request.post('/api/memories/complete-upload', {
        data: { uploadURL, ...story },
      });
      expect(made.status()).toBe(201);
    }
    await extractExport(page, folder);
    const requests = await openAlbum(page, folder);

    await expect(page.getByRole('heading', { level: 1 })).toContainText('Mara </script>');
    await expect(page.getByText('6 memories, 2 pets')).toBeVisible();
    await expect(photos(page)).toHaveCount(6);
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
    await expect(photos(page)).toHaveCount(1);
    await expect(page.getByRole('status')).toHaveText('1 photo found');
    await search.fill('rex 2024');
    await expect(photos(page)).toHaveCount(2);
    await search.fill('nothing like this');
    await expect(page.getByRole('status')).toHaveText('Nothing found. Try another word.');
    await search.fill('');
    await page.getByRole('combobox', { name: 'Pet' }).selectOption({ label: 'Rex' });
    await expect(photos(page)).toHaveCount(4);

    // By keyboard.
    await photos(page).first().focus();
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
    await expect(photos(page).nth(1)).toBeFocused();

    await page.emulateMedia({ media: 'print' });
    await expect(search).toBeHidden();
    await expect(photos(page).first()).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('print.png'), fullPage: true });
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.screenshot({ path: testInfo.outputPath('dark.png') });

    expect(await page.evaluate(() => 'injected' in window)).toBe(false);
    await expect(page.locator('#gallery b, #gallery script, img[src="x"]')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(requests).toEqual([]);
  });

  test('shows 10,000 memories and loads only photos in sight', async ({ page }) => {
    const items = Array.from({ length: 10_000 }, (_, index) => toItem(index));
    const spool = {
      read: () => toAsync(items),
      write: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const texts: string[] = [];
    const album = { ownerName: 'Mara', exportedAt: now() };
    for await (const text of writeAlbumPage(spool, album)) texts.push(text);
    await writeFile(join(folder, 'index.html'), texts.join(''));
    await mkdir(join(folder, 'previews'));
    const { buffer } = await smallPhoto(300, 200);
    // Each has its own preview, of which the page asks for those in sight.
    await Promise.all(
      items.map(({ image }) => writeFile(join(folder, `previews/${image?.id}.webp`), buffer)),
    );
    let loaded = 0;
    page.on('request', (request) => (loaded += Number(request.url().includes('/previews/'))));
    const requests = await openAlbum(page, folder);
    await expect(page.getByText('10,000 memories')).toBeVisible();
    await expect(photos(page).first()).toBeVisible();
    expect(loaded).toBeLessThan(200);
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('walk 9999');
    await expect(photos(page)).toHaveCount(1);
    await search.fill('');
    // Down to the end.
    const more = page.getByRole('button', { name: 'Show more' });
    const before = await photos(page).count();
    await more.scrollIntoViewIfNeeded();
    await expect.poll(() => photos(page).count()).toBeGreaterThan(before);
    expect(requests).toEqual([]);
  });
});

function toItem(index: number): AlbumItem {
  const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
  const day = new Date(Date.UTC(2015, 0, 1 + (index % 4000))).toISOString().slice(0, 10);
  const file = {
    path: `photos/Rex/${day.slice(0, 4)}/${day} ${id.slice(-8)}.jpg`,
    contentType: 'image/jpeg',
    byteSize: 1000,
    sha256: '0'.repeat(64),
    width: 300,
    height: 200,
  };
  return {
    list: 'memories',
    value: {
      id,
      petId: null,
      caption: `Walk ${index}`,
      tags: ['walk'],
      isLiked: false,
      memoryDate: day,
      addedDay: day,
      source: 'web',
      createdAt: `${day}T12:00:00.000Z`,
      deletedAt: null,
      file,
    },
    image: { id, objectKey: '', ...file },
  };
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* toAsync(items: AlbumItem[]): AsyncGenerator<AlbumItem> {
  yield* items;
}
