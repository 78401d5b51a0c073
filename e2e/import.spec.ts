import type { Page } from '@playwright/test';
import pg from 'pg';
import type { Export } from '../shared/export.ts';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { getDatabaseConfig } from './database.ts';
import { createMemory, smallPhoto } from './photos.ts';
import { registerUser, type NewUser } from './users.ts';

async function inDatabase(text: string, { email }: NewUser): Promise<void> {
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  try {
    await database.query(text.replace('$owner', '(select id from users where email = $1)'), [email]);
  } finally {
    await database.end();
  }
}

/** The zip of an album with two photos and a contact. */
async function exportAlbum(page: Page): Promise<Buffer> {
  await registerUser(page);
  await createMemory(page, await smallPhoto(800, 600), 'First snow');
  await createMemory(page, await smallPhoto(600, 800), 'By the sea');
  await page.request.post('/api/contacts', { data: { name: 'Oma Ingrid', email: 'ingrid@family.example' } });
  expect((await page.request.post('/api/exports')).status()).toBe(202);
  const find = async () => ((await (await page.request.get('/api/exports')).json()) as Export[])[0];
  await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe('completed');
  const zip = await page.request.get((await find())?.parts[0]?.url ?? '');
  return zip.body();
}

const section = (page: Page) => page.getByRole('region', { name: 'Import an album' });
const fileInput = (page: Page) => section(page).locator('input[type="file"]');
const toFile = (buffer: Buffer, name = 'mems-export-2026-11-24.zip') => ({
  name,
  mimeType: 'application/zip',
  buffer,
});

async function screenshot(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await section(page).scrollIntoViewIfNeeded();
    await page.screenshot({ path: path.replace('.png', `-${colorScheme}.png`) });
    await expectNoViolations(page);
  }
}

test(
  'an owner imports an exported album, sees its progress, and what to do when it fails',
  { tag: '@phone' },
  async ({ page, expectErrorResponse }, testInfo) => {
    test.setTimeout(180_000);
    expectErrorResponse('/api/imports');
    const zip = await exportAlbum(page);
    await page.context().clearCookies();
    const user = await registerUser(page);
    await page.goto('/account');
    const shot = (name: string) => screenshot(page, testInfo.outputPath(`${name}.png`));

    // By keyboard.
    const choose = section(page).getByRole('button', { name: 'Choose a zip' });
    await expect(choose).toBeVisible();
    await shot('empty');
    const chooser = page.waitForEvent('filechooser');
    await choose.focus();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(toFile(await smallPhoto().then(({ buffer }) => buffer), 'holiday.zip'));
    const alert = section(page).getByRole('alert');
    await expect(alert).toContainText('holiday.zip was not imported.', { timeout: 60_000 });
    await expect(alert).toContainText('This file is not a zip, or it is not complete.');
    await shot('failed');

    // The upload hangs until the page is reloaded.
    await page.route('**/chunks/*', () => undefined);
    await fileInput(page).setInputFiles(toFile(zip));
    await expect(section(page).getByRole('progressbar', { name: /^Uploading mems-export/ })).toBeVisible();
    await shot('uploading');
    await inDatabase(
      `update imports set received_bytes = 8388608, byte_size = 20000000 where owner_id = $owner`,
      user,
    );
    await page.reload();
    await page.unroute('**/chunks/*');
    await expect(section(page).getByText('it goes on from 41 %')).toBeVisible();
    await shot('interrupted');
    await section(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(choose).toBeVisible();

    await fileInput(page).setInputFiles(toFile(zip));
    await expect(section(page).getByText('Your album is imported.')).toBeVisible({ timeout: 60_000 });
    await expect(section(page).getByText('2 photos added.')).toBeVisible();
    await shot('completed');
    await fileInput(page).setInputFiles(toFile(zip));
    await expect(section(page).getByText('No new photos. 2 photos were here already.')).toBeVisible({
      timeout: 60_000,
    });

    await inDatabase(
      `update imports set status = 'working', total = 1240, done = 310, heartbeat_at = now() + interval '1 day'
     where owner_id = $owner`,
      user,
    );
    await page.reload();
    const progress = section(page).getByRole('progressbar', { name: 'Adding your photos' });
    await expect(progress).toHaveAttribute('aria-valuenow', '25');
    await expect(section(page).getByText('310 of 1,240')).toBeVisible();
    await shot('working');
    await inDatabase(`update imports set total = 0 where owner_id = $owner`, user);
    await expect(section(page).getByRole('progressbar', { name: 'Checking the photos' })).toBeVisible();
    await expectNoViolations(page);
    await inDatabase(
      `update imports set status = 'completed', total = 620, done = 620, added = 618, unreadable = 2, missing = 311
     where owner_id = $owner`,
      user,
    );
    await expect(section(page).getByText('311 photos of this export are not in this zip.')).toBeVisible();
    await shot('part');

    await page.goto('/gallery');
    await expect(page.getByText('First snow')).toBeVisible();
    await page.goto('/contacts');
    await expect(page.getByText('Oma Ingrid')).toBeVisible();
    await expect(page.getByRole('switch')).not.toBeChecked();
  },
);
