import type { Locator, Page } from '@playwright/test';
import { signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { expect, test } from '../../support/fixtures.ts';
import { createPet } from '../../support/screens/pets.ts';
import { choosePhoto, finishUpload, smallPhoto } from '../../support/screens/photos.ts';

test('the pet of a memory is shown everywhere', async ({ page }) => {
  await signInAsNewUser(page);
  const rex = await createPet(page, { name: 'Rex', species: 'dog' }, await smallPhoto());
  await createPet(page, { name: 'Milo', species: 'cat' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(petSelect(page).getByRole('option')).toHaveText([
    'Select a pet (optional)',
    'Milo (Cat)',
    'Rex (Dog)',
  ]);
  await page.getByLabel('Tags').fill('summer, lake');
  await petSelect(page).selectOption('Rex (Dog)');
  await page.getByLabel('Memory Date').fill('2026-03-01');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  const sent = page.waitForRequest('**/complete-upload');
  await page.getByRole('button', { name: 'Upload photo' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ petId: rex });
  await expect(toast(page)).toContainText('Memory uploaded successfully! 🎉');
  await finishUpload(page);

  for (const _time of ['at once', 'after a reload']) {
    await expect(timeline(page).getByText('Rex', { exact: true })).toBeVisible();
    await expect(timeline(page).getByText('summer, lake')).toBeVisible();
    await expect(timeline(page).getByRole('img', { name: 'Photo of Rex, March 1, 2026' })).toBeVisible();
    await page.getByRole('button', { name: 'Open Photo of Rex, March 1, 2026' }).click();
    await expect(detail(page, 'Featured Pet')).toHaveText('Rex the dog');
    await expect(detail(page, 'When')).toHaveText('March 1, 2026');
    await page.keyboard.press('Escape');
    await page.reload();
  }
});

function petSelect(page: Page): Locator {
  return page.getByRole('dialog').getByLabel('Pet', { exact: true });
}

function timeline(page: Page): Locator {
  return page.getByRole('region', { name: 'Your Mems Timeline' });
}

/** The text under a heading of the open memory. */
function detail(page: Page, name: string): Locator {
  const section = page.getByRole('dialog').locator('section');
  return section.filter({ has: page.getByRole('heading', { name }) }).locator('p');
}
