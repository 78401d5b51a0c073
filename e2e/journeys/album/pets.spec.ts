import type { Page, Request } from '@playwright/test';
import { expect, test } from '../../support/fixtures.ts';
import { openMenu, signInAsNewUser, toast } from '../../support/accounts/users.ts';
import {
  fillPet,
  petCard,
  petFact,
  profilePictureInput,
  type PetDetails,
} from '../../support/screens/pets.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

const biscuit = {
  name: 'Biscuit',
  species: 'dog',
  breed: 'Golden retriever',
  age: '2 years',
  weight: '15 lbs',
  birthdayOrGotchaDay: '2026-03-01',
  description: 'Steals socks,\nreturns tennis balls.',
} as const satisfies PetDetails;

test('a pet is added, edited and deleted', { tag: '@quick' }, async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/');
  await openMenu(page);
  await page.getByRole('link', { name: 'My Pets' }).click();
  await expect(page).toHaveTitle('My Pets · Mems Are Forever');
  await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Add Your First Pet' }).click();
  await expect(page.getByRole('dialog', { name: 'Add New Pet' })).toBeVisible();
  await fillPet(page, biscuit);
  await profilePictureInput(page).setInputFiles(await smallPhoto());
  await expectShown(page, 'The picture you chose');
  await page.getByRole('button', { name: 'Add Pet' }).click();
  await expect(toast(page)).toContainText('Pet added successfully!');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();

  const card = petCard(page, 'Biscuit');
  for (const _time of ['at once', 'after a reload']) {
    await expect(card.getByText('Dog · Golden retriever')).toBeVisible();
    await expect(petFact(card, 'Age')).toHaveText('2 years');
    await expect(petFact(card, 'Weight')).toHaveText('15 lbs');
    await expect(petFact(card, 'Birthday or gotcha day')).toHaveText('March 1, 2026');
    await expect(petFact(card, 'About')).toHaveText(/Steals socks,\s+returns tennis balls\./);
    await expectShown(page, 'Biscuit, dog');
    await page.reload();
  }

  const [kept] = (await (await page.request.get('/api/pets')).json()) as { description: string }[];
  expect(kept?.description).toBe(biscuit.description);

  const changed = page.waitForRequest(isPatch);
  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Pet' })).toBeVisible();
  await expectFilledIn(page, biscuit);
  await fillPet(page, { breed: '', species: 'other', age: ' 3 years ' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  expect(bindFields(await changed)).toEqual({ species: 'other', breed: '', age: '3 years' });
  await expect(toast(page)).toContainText('Pet updated successfully!');
  await expect(page.getByRole('button', { name: 'Edit Biscuit' })).toBeFocused();
  await expect(card.getByText('Other', { exact: true })).toBeVisible();
  await expect(petFact(card, 'Age')).toHaveText('3 years');
  await page.reload();
  await expect(card.getByText('Other', { exact: true })).toBeVisible();
  await expect(card.getByText('Golden retriever')).toBeHidden();

  await page.getByRole('button', { name: 'Delete Biscuit' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this pet?' });
  await expect(question).toContainText('The memories stay in your album');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Delete Biscuit' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete Biscuit' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('Pet deleted');
  await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
});

/** The image is loaded. */
async function expectShown(page: Page, name: string): Promise<void> {
  const picture = page.getByRole('img', { name, exact: true });
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

async function expectFilledIn(page: Page, pet: Required<PetDetails>): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toHaveValue(pet.name);
  await expect(dialog.getByLabel('Species')).toHaveValue(pet.species);
  await expect(dialog.getByLabel('Breed')).toHaveValue(pet.breed);
  await expect(dialog.getByLabel('Birthday or gotcha day')).toHaveValue(pet.birthdayOrGotchaDay);
  await expect(dialog.getByLabel('Age')).toHaveValue(pet.age);
  await expect(dialog.getByLabel('Weight')).toHaveValue(pet.weight);
  await expect(dialog.getByLabel('Description')).toHaveValue(pet.description);
}

function isPatch(request: Request): boolean {
  return request.method() === 'PATCH';
}

/** The text fields of a multipart body, by name. */
function bindFields(request: Request): Record<string, string> {
  const parts = (request.postData() ?? '').matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g);
  return Object.fromEntries([...parts].map(([, name = '', value = '']) => [name, value]));
}
