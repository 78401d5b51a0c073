import type { Page, Request } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { blockEvents } from './network.ts';
import { openMenu, registerUser, toast } from './users.ts';
import { createPet, fillPet, petCard, petFact, profilePictureInput, type PetDetails } from './pets.ts';
import { fakePhoto, heicPhoto, makeOrientedPhoto } from './photo-files.ts';
import { portraitFromPhone, smallPhoto } from './photos.ts';
const biscuit = {
  name: 'Biscuit',
  species: 'dog',
  breed: 'Golden retriever',
  age: '2 years',
  weight: '15 lbs',
  birthdayOrGotchaDay: '2026-03-01',
  description: 'Steals socks,\nreturns tennis balls.',
} as const satisfies PetDetails;

test('a pet is added, edited and deleted', { tag: ['@phone', '@quick'] }, async ({ page }) => {
  await registerUser(page);
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

test('a profile picture is square, replaced and removed', async ({ page }) => {
  await registerUser(page);
  await createPet(page, biscuit, await portraitFromPhone());
  await page.goto('/pets');
  const picture = page.getByRole('img', { name: 'Biscuit, dog' });
  await expectShown(page, 'Biscuit, dog');
  const first = await picture.getAttribute('src');
  const ratio = (image: HTMLImageElement) => image.naturalWidth / image.naturalHeight;
  expect(await picture.evaluate(ratio)).toBe(1);

  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await profilePictureInput(page).setInputFiles(await makeOrientedPhoto(3));
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page)).toContainText('Pet updated successfully!');
  await expect(picture).not.toHaveAttribute('src', first ?? '');
  await expectShown(page, 'Biscuit, dog');

  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(profilePictureInput(page)).toBeFocused();
  await expect(page.getByText('The picture will be removed when you save.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Biscuit' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  const changed = page.waitForRequest(isPatch);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  expect(bindFields(await changed)).toEqual({ removeProfileImage: 'true' });
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(petCard(page, 'Biscuit')).toBeVisible();
  await expect(picture).toBeHidden();
  await page.reload();
  await expect(petCard(page, 'Biscuit')).toBeVisible();
  await expect(picture).toBeHidden();
});

test('a HEIC is accepted, although the browser cannot decode it', async ({ page }) => {
  await registerUser(page);
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await fillPet(page, { name: 'Mimi', species: 'cat' });
  await profilePictureInput(page).setInputFiles(await heicPhoto());
  await expect(page.getByText('IMG_0001.HEIC is selected. You will see it after saving.')).toBeVisible();
  await page.getByRole('button', { name: 'Add Pet' }).click();
  await expect(toast(page)).toContainText('Pet added successfully!');
  await expectShown(page, 'Mimi, cat');
});

test('a pet deleted elsewhere disappears', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/pets/');
  await registerUser(page);
  const biscuitId = await createPet(page, biscuit);
  const mimiId = await createPet(page, { name: 'Mimi', species: 'cat' });
  await blockEvents(page);
  await page.goto('/pets');
  await expect(page.getByRole('article')).toHaveCount(2);
  for (const id of [biscuitId, mimiId]) await page.request.delete(`/api/pets/${id}`);
  await page.getByRole('button', { name: 'Delete Mimi' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast(page)).toContainText('Pet deleted');
  await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
});

test('pets show a loading state and an error state', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/pets');
  await registerUser(page);
  await createPet(page, biscuit);
  let fail = () => {};
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await page.route('**/api/pets?*', async (route) => {
    await failing;
    await route.abort();
  });
  await page.goto('/pets');
  await expect(page.getByText('Loading your pets...')).toBeVisible();
  fail();
  await expect(page.getByText('Your pets could not be loaded.')).toBeVisible();
  await page.unroute('**/api/pets?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(petCard(page, 'Biscuit')).toBeVisible();
});

test('pets are added, edited and deleted with the keyboard, without losing the focus', async ({ page }) => {
  await registerUser(page);
  await createPet(page, { name: 'Ace', species: 'bird' });
  await createPet(page, { name: 'Mimi', species: 'cat' });
  await page.goto('/pets');
  await expect(petCard(page, 'Ace')).toBeVisible();
  await page.getByRole('main').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(profilePictureInput(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Biscuit');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Dog');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Beagle');
  await page.keyboard.press('Enter');
  await expect(petCard(page, 'Biscuit').getByText('Dog · Beagle')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Edit Ace' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(petCard(page, 'Ace')).toBeHidden();
  await expect(petCard(page, 'Biscuit')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Edit Biscuit' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Edit Biscuit' })).toBeFocused();
});

test('long names and other scripts fit their card at 360 px', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await registerUser(page);
  const long = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4);
  const name = long.slice(0, 100);
  await createPet(page, {
    name,
    species: 'dog',
    breed: long,
    age: long,
    description: long.repeat(6),
  });
  await createPet(page, { name: 'מיצי', species: 'cat', description: 'היא אוהבת לישון.' });
  await page.goto('/pets');
  await expect(petCard(page, 'מיצי')).toBeVisible();
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(360);
  await page.getByRole('button', { name: 'Read more' }).click();
  await expect(page.getByRole('button', { name: 'Read less' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit Donau' }).click();
  await expect(page.getByLabel('Name')).toHaveValue(name);
  expect(await width()).toBe(360);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Delete Donau' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  expect(await width()).toBe(360);
});

test.describe('in both themes', () => {
  // Text has less contrast during animations.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing on the pets and their dialogs', async ({ page }) => {
    await registerUser(page);
    await page.goto('/pets');
    await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
    await expectNoViolations(page);
    await createPet(page, biscuit, await smallPhoto());
    await createPet(page, { name: 'Nugget', species: 'hamster', description: 'Sleeps. '.repeat(90) });
    await page.reload();
    await expectShown(page, 'Biscuit, dog');
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Add New Pet' }).click();
    await profilePictureInput(page).setInputFiles(await heicPhoto());
    await profilePictureInput(page).setInputFiles({ ...fakePhoto(), mimeType: 'text/plain' });
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(page.getByText('Pet name is required')).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit Biscuit' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete Biscuit' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectNoViolations(page);
  });
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
