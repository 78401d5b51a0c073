import type { Page, Request } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { blockEvents } from './network.ts';
import { LOGGED_OUT, waitForToast, openMenu, registerUser, toast } from './users.ts';
import {
  addPet,
  createPet,
  fillPet,
  petCard,
  petFact,
  profilePictureInput,
  type PetDetails,
} from './pets.ts';
import { fakePhoto, heicPhoto, largeFile, makeOrientedPhoto } from './photo-files.ts';
import { portraitFromPhone, smallPhoto } from './photos.ts';

const PETS = '**/api/pets';
const biscuit = {
  name: 'Biscuit',
  species: 'dog',
  breed: 'Golden retriever',
  age: '2 years',
  weight: '15 lbs',
  birthdayOrGotchaDay: '2026-03-01',
  description: 'Steals socks,\nreturns tennis balls.',
} as const satisfies PetDetails;

test('a pet is added, edited and deleted', async ({ page }) => {
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

test('a HEIC is accepted, although the browser cannot decode it', { tag: '@once' }, async ({ page }) => {
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

test('the form validates its fields and sends only filled ones', async ({ page }) => {
  await registerUser(page);
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  const sent: Request[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request));
  await fillPet(page, { name: '   ' });
  await page.getByRole('button', { name: 'Add Pet' }).click();
  await expect(page.getByText('Pet name is required')).toBeVisible();
  await expect(page.getByText('Species is required')).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');

  await fillPet(page, { name: 'Mimi', species: 'cat' });
  await page.getByLabel('Birthday or gotcha day').focus();
  await page.keyboard.type('03');
  await page.getByRole('button', { name: 'Add Pet' }).click();
  await expect(page.getByText('Please enter a valid date')).toBeVisible();
  await expect(page.getByLabel('Birthday or gotcha day')).toBeFocused();
  expect(sent).toHaveLength(0);

  await page.getByLabel('Birthday or gotcha day').fill('');
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Add Pet' }).dblclick();
  await expect(toast(page)).toContainText('Pet added successfully!');
  expect(sent).toHaveLength(1);
  expect(sent.map(bindFields)).toEqual([{ name: 'Mimi', species: 'cat' }]);
  await expect(page.getByRole('article')).toHaveCount(1);
});

test(
  'a file that is no image or too large is rejected before sending',
  { tag: '@once' },
  async ({ page }) => {
    await registerUser(page);
    await page.goto('/pets');
    await page.getByRole('button', { name: 'Add New Pet' }).click();
    await profilePictureInput(page).setInputFiles(await smallPhoto());
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Feed the cat.') };
    await profilePictureInput(page).setInputFiles(text);
    await expect(page.getByText('Please choose a picture, like a JPEG, PNG or HEIC file')).toBeVisible();
    await expectShown(page, 'The picture you chose');
    await profilePictureInput(page).setInputFiles(largeFile());
    await expect(page.getByText('This picture is larger than 10 MB')).toBeVisible();
    await expect(profilePictureInput(page)).toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('This picture is larger than 10 MB')).toBeHidden();
  },
);

test(
  "the server's field errors are shown at the fields, without losing input",
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/pets');
    await registerUser(page);
    await page.goto('/pets');
    await page.getByRole('button', { name: 'Add New Pet' }).click();
    await fillPet(page, biscuit);
    await profilePictureInput(page).setInputFiles(fakePhoto());
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(toast(page)).toContainText('Failed to add pet');
    await expect(profilePictureInput(page)).toBeFocused();
    await expect(profilePictureInput(page)).toHaveAttribute('aria-invalid', 'true');
    await expectFilledIn(page, biscuit);

    await profilePictureInput(page).setInputFiles(await smallPhoto());
    await expect(profilePictureInput(page)).not.toHaveAttribute('aria-invalid');
    await fillPet(page, { breed: 'Golden\u0000retriever' });
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(page.getByLabel('Breed')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Breed')).toBeFocused();

    await fillPet(page, { breed: 'Golden retriever' });
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(toast(page)).toContainText('Pet added successfully!');
    await expect(page.getByRole('article')).toHaveCount(1);
    await expectShown(page, 'Biscuit, dog');
  },
);

test(
  'a retry after a lost response adds one pet',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/pets');
    await registerUser(page);
    await page.goto('/pets');
    await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
    let isLost = false;
    await page.route(PETS, async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.fallback();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Add New Pet' }).click();
    await fillPet(page, biscuit);
    await profilePictureInput(page).setInputFiles(await smallPhoto());
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(toast(page)).toContainText('Failed to add pet');
    await expect(toast(page)).toContainText('Failed to create pet');
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(toast(page)).toContainText('Pet added successfully!');
    await expect(page.getByRole('article')).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('article')).toHaveCount(1);

    await addPet(page, biscuit);
    await expect(page.getByRole('article')).toHaveCount(2);
  },
);

test(
  'a failed edit and a failed deletion show an error and can be retried',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/pets/');
    await registerUser(page);
    await createPet(page, biscuit);
    await page.goto('/pets');
    await page.getByRole('button', { name: 'Edit Biscuit' }).click();
    await fillPet(page, { name: 'Cookie' });
    await page.route('**/api/pets/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toast(page)).toContainText('Failed to update pet');
    await expect(page.getByLabel('Name')).toHaveValue('Cookie');
    await page.unroute('**/api/pets/*');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toast(page)).toContainText('Pet updated successfully!');

    await page.route('**/api/pets/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Delete Cookie' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(toast(page)).toContainText('Failed to delete pet');
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(toast(page)).toBeHidden();
    await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })).toBeFocused();
    await page.unroute('**/api/pets/*');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(toast(page)).toContainText('Pet deleted');
  },
);

test('a pet deleted elsewhere disappears', { tag: '@once' }, async ({ page, expectErrorResponse }) => {
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

test('Escape and a click outside save a draft, Cancel discards it', async ({ page }) => {
  await registerUser(page);
  await createPet(page, { name: 'Mimi', species: 'cat' });
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await fillPet(page, biscuit);
  await page.mouse.click(2, 2);
  await expect(page.getByRole('dialog')).toHaveAttribute('data-state', 'open');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await expectFilledIn(page, biscuit);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('');
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Edit Mimi' }).click();
  await fillPet(page, { name: 'Somebody else' });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Mimi' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Somebody else');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit Mimi' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Mimi');
});

test('a pending form can neither be submitted again nor closed', { tag: '@once' }, async ({ page }) => {
  await registerUser(page);
  await page.goto('/pets');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(PETS, async (route) => {
    await held;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await fillPet(page, biscuit);
  await page.getByRole('button', { name: 'Add Pet' }).click();
  await expect(page.getByRole('button', { name: 'Adding...' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Name').press('Enter');
  await expectFilledIn(page, biscuit);
  release();
  await expect(toast(page)).toContainText('Pet added successfully!');
  await expect(page.getByRole('article')).toHaveCount(1);
});

test(
  'pets are added, edited and deleted with the keyboard, without losing the focus',
  { tag: '@once' },
  async ({ page }) => {
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
  },
);

test('a visitor sees a toast and is redirected to sign-in', { tag: '@once' }, async ({ page }) => {
  await Promise.all([waitForToast(page, LOGGED_OUT), page.goto('/pets')]);
  await expect(page).toHaveURL('/auth');
});

test(
  'a session lost while typing shows only its own toast',
  { tag: '@once' },
  async ({ page, context, expectErrorResponse }) => {
    expectErrorResponse('/api/pets');
    await registerUser(page);
    await page.goto('/pets');
    await page.getByRole('button', { name: 'Add New Pet' }).click();
    await fillPet(page, biscuit);
    await context.clearCookies();
    const redirect = await blockSignInRedirect(page);
    await page.getByRole('button', { name: 'Add Pet' }).click();
    await expect(toast(page)).toContainText('You are logged out. Logging in again...');
    await redirect();
    await expect(toast(page)).toContainText('You are logged out. Logging in again...');
  },
);

for (const timezoneId of ['America/Los_Angeles', 'Pacific/Auckland']) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test('a birthday of 2026-03-01 is March 1, 2026', { tag: '@once' }, async ({ page }) => {
      await registerUser(page);
      await page.goto('/pets');
      await addPet(page, biscuit);
      for (const _time of ['at once', 'after a reload']) {
        await expect(petFact(petCard(page, 'Biscuit'), 'Birthday or gotcha day')).toHaveText('March 1, 2026');
        await page.reload();
      }
      await page.getByRole('button', { name: 'Edit Biscuit' }).click();
      await expect(page.getByLabel('Birthday or gotcha day')).toHaveValue('2026-03-01');
    });
  });
}

test('long names and other scripts fit their card at 360 px', { tag: '@once' }, async ({ page }) => {
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

/** Blocks the redirect to sign-in. @returns a promise of the redirect */
async function blockSignInRedirect(page: Page): Promise<() => Promise<Request>> {
  const taken = page.waitForRequest((request) => request.url().endsWith('/api/login'));
  await page.route('**/api/login', (route) => route.fulfill({ status: 204 }));
  return () => taken;
}

function isPatch(request: Request): boolean {
  return request.method() === 'PATCH';
}

/** The text fields of a multipart body, by name. */
function bindFields(request: Request): Record<string, string> {
  const parts = (request.postData() ?? '').matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g);
  return Object.fromEntries([...parts].map(([, name = '', value = '']) => [name, value]));
}
