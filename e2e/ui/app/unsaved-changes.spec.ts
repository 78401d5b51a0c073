import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { recordForms } from '../sent-forms.ts';
import { editCard } from '../../support/screens/memory-cards.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { profilePictureInput } from '../../support/screens/pets.ts';
import { openMenu, toast } from '../../support/accounts/users.ts';
import { addMemories, addPet } from '../albums.ts';

const TYPED = 'Words of an hour';
const NOTICE = 'Your unsaved changes are still here.';

/** Ways to leave a form without saving. */
const ways: Record<string, (page: Page) => Promise<unknown>> = {
  'a reload': (page) => page.reload(),
  'another page': async (page) => {
    const path = new URL(page.url()).pathname;
    await page.evaluate(() => history.pushState(null, '', '/contacts'));
    await expect(page.getByRole('heading', { name: 'Your Contacts' })).toBeVisible();
    await page.evaluate((path) => history.pushState(null, '', path), path);
  },
};

test('a reload or another page saves a draft of that memory only', async ({ page, server }) => {
  addMemories(server, ['Lake', 'Snow']);
  await page.goto('/gallery');
  for (const [way, leave] of Object.entries(ways))
    await test.step(way, async () => {
      await editCard(page, 'Snow');
      await page.getByLabel('Caption').fill(TYPED);
      await leave(page);
      await expect(page.getByRole('dialog')).toBeHidden();

      await editCard(page, 'Lake');
      await expect(page.getByLabel('Caption')).toHaveValue('Lake');
      await expect(page.getByText(NOTICE)).toBeHidden();
      await page.keyboard.press('Escape');

      await editCard(page, 'Snow');
      await expect(page.getByLabel('Caption')).toHaveValue(TYPED);
      await expect(page.getByText(NOTICE)).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Edit Memory' }).click();
      await expect(page.getByLabel('Caption')).toHaveValue('Snow');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
});

test('a reload or another page saves a draft of that pet only', async ({ page, server }) => {
  for (const name of ['Mimi', 'Rex']) addPet(server, { name, species: 'cat' });
  await page.goto('/pets');
  for (const [way, leave] of Object.entries(ways))
    await test.step(way, async () => {
      await page.getByRole('button', { name: 'Edit Mimi' }).click();
      await page.getByLabel('Description').fill(TYPED);
      await leave(page);
      await expect(page.getByRole('dialog')).toBeHidden();

      await page.getByRole('button', { name: 'Edit Rex' }).click();
      await expect(page.getByLabel('Description')).toHaveValue('');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Edit Mimi' }).click();
      await expect(page.getByLabel('Description')).toHaveValue(TYPED);
      await expect(page.getByText(NOTICE)).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Edit Mimi' }).click();
      await expect(page.getByLabel('Description')).toHaveValue('');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
});

test('a draft holds only typed fields: others show what is saved elsewhere', async ({
  page,
  server,
  fakeApp,
}) => {
  const sentForms = await recordForms(page);
  const mimi = addPet(server, { name: 'Mimi', species: 'cat', age: '2 years' });
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Edit Mimi' }).click();
  await page.getByLabel('Description').fill(TYPED);
  await profilePictureInput(page).setInputFiles(await smallPhoto());
  await page.keyboard.press('Escape');
  await expect(toast(page)).toContainText('Draft saved');
  mimi.age = '3 years';
  await fakeApp.untilListening();
  fakeApp.emit('refresh', {});
  await expect(page.getByText('3 years')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Mimi' }).click();
  await expect(page.getByLabel('Age')).toHaveValue('3 years');
  await expect(page.getByText('small.jpg is selected.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'The picture you chose' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page)).toContainText('Pet updated successfully!');
  expect(server.state.pets).toMatchObject([{ age: '3 years', description: TYPED }]);
  expect(await sentForms()).toMatchObject([{ description: TYPED, profileImage: 'file small.jpg' }]);
});

test('logging out discards drafts', async ({ page }) => {
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await page.getByLabel('Name').fill(TYPED);
  await page.keyboard.press('Escape');
  expect(await storedDrafts(page)).toContain(TYPED);
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/(auth)?$/);
  expect(await storedDrafts(page)).not.toContain(TYPED);
});

test('logging out discards drafts in other tabs', async ({ page, context }) => {
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await page.getByLabel('Name').fill(TYPED);
  await page.keyboard.press('Escape');
  expect(await storedDrafts(page)).toContain(TYPED);

  const other = await context.newPage();
  await other.goto('/pets');
  await openMenu(other);
  const loading = page.waitForEvent('load');
  await other.getByRole('button', { name: 'Logout' }).click();
  await loading;
  expect(await storedDrafts(page)).not.toContain(TYPED);
});

function storedDrafts(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
}
