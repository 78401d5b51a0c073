import type { Page } from '@playwright/test';
import type { Export } from '../../../shared/transfers/export.ts';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { now } from '../../support/clock.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

/** The zip of an album with two photos and a contact. */
async function exportAlbum(page: Page): Promise<Buffer> {
  await signInAsNewUser(page);
  const createdAt = now().toISOString();
  await addPastMemories(
    page,
    [await smallPhoto(800, 600), await smallPhoto(600, 800)],
    ['First snow', 'By the sea'].map((caption) => ({ caption, createdAt })),
  );
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

test('an owner imports an exported album once', async ({ page }) => {
  test.setTimeout(180_000);
  const zip = await exportAlbum(page);
  await page.context().clearCookies();
  await signInAsNewUser(page);
  await page.goto('/account');

  // By keyboard.
  const choose = section(page).getByRole('button', { name: 'Choose a zip' });
  const chooser = page.waitForEvent('filechooser');
  await choose.focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(toFile((await smallPhoto()).buffer, 'holiday.zip'));
  const alert = section(page).getByRole('alert');
  await expect(alert).toContainText('holiday.zip was not imported.', { timeout: 60_000 });
  await expect(alert).toContainText('This file is not a zip, or it is not complete.');

  await fileInput(page).setInputFiles(toFile(zip));
  await expect(section(page).getByText('Your album is imported.')).toBeVisible({ timeout: 60_000 });
  await expect(section(page).getByText('2 photos added.')).toBeVisible();
  await expectNoViolations(page);
  await fileInput(page).setInputFiles(toFile(zip));
  await expect(section(page).getByText('No new photos. 2 photos were here already.')).toBeVisible({
    timeout: 60_000,
  });

  await page.goto('/gallery');
  await expect(page.getByText('First snow')).toBeVisible();
  await page.goto('/contacts');
  await expect(page.getByText('Oma Ingrid')).toBeVisible();
  await expect(page.getByRole('switch')).not.toBeChecked();
});
