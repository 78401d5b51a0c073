import type { Locator, Page, Request } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { blockEvents, recordPatches } from './network.ts';
import { openMenu, registerUser, toast } from './users.ts';
import { createPet, fillPet } from './pets.ts';
import { createMemory, choosePhoto, expectTextStored, finishUpload, smallPhoto } from './photos.ts';

const PETS = '**/api/pets?*';

test.beforeEach(async ({ page }) => {
  await registerUser(page);
});

test('the pet of a memory is shown everywhere', async ({ page }) => {
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

test('a time without a date and an incomplete date are rejected', async ({ page }) => {
  await openMemory(page, {});
  const changes = recordPatches(page);
  await edit(page);
  await page.getByLabel('Time', { exact: true }).fill('10:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Please enter a date as well/)).toBeVisible();
  await expect(page.getByLabel('Memory Date')).toBeFocused();
  await page.keyboard.type('03');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a valid date')).toBeVisible();
  await expect(page.getByLabel('Memory Date')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Memory Date').fill('2026-03-01');
  await page.getByLabel('Time', { exact: true }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a valid time')).toBeVisible();
  await expect(page.getByLabel('Time', { exact: true })).toBeFocused();
  expect(changes).toEqual([]);
});

test('a renamed pet changes everywhere, and a deleted one leaves its memories', async ({ page }) => {
  const rex = await createPet(page, { name: 'Rex', species: 'dog' });
  await addMemory(page, { petId: rex, memoryDate: '2026-03-01' }, '');
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Edit Rex' }).click();
  await fillPet(page, { name: 'Rexy' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await goHome(page);
  await expect(timeline(page).getByText('Rexy', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Open Photo of Rexy, March 1, 2026' }).click();
  await expect(detail(page, 'Featured Pet')).toHaveText('Rexy the dog');
  await edit(page);
  await expect(petSelect(page).locator('option:checked')).toHaveText('Rexy (Dog)');
  await page.keyboard.press('Escape');

  await openMenu(page);
  await page.getByRole('link', { name: 'My Pets' }).click();
  await page.getByRole('button', { name: 'Delete Rexy' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('Pet deleted');
  await goHome(page);
  await page.getByRole('button', { name: 'Open Photo of March 1, 2026' }).click();
  await expect(detail(page, 'When')).toBeVisible();
  await expect(detail(page, 'Featured Pet')).toBeHidden();
  await edit(page);
  await expect(page.getByLabel('Memory Date')).toBeVisible();
  await expect(petSelect(page).getByRole('option')).toHaveText(['No pet']);
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Add your first pet' })).toBeVisible();
});

test('the pets are fetched once, and not per memory', async ({ page }) => {
  const calls: string[] = [];
  const isOfPets = (request: Request) => new URL(request.url()).pathname.startsWith('/api/pets');
  page.on('request', (request) => isOfPets(request) && calls.push(request.url()));
  for (const name of ['Rex', 'Milo', 'Zip']) {
    const petId = await createPet(page, { name, species: 'dog' });
    await addMemory(page, { petId }, `${name} at the lake`);
  }
  await page.goto('/');
  for (const name of ['Rex', 'Milo', 'Zip']) {
    await expect(timeline(page).getByText(name, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: `Open ${name} at the lake` }).click();
    await expect(detail(page, 'Featured Pet')).toHaveText(`${name} the dog`);
    await edit(page);
    await expect(petSelect(page).locator('option:checked')).toHaveText(`${name} (Dog)`);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(petSelect(page)).toBeVisible();
  await page.keyboard.press('Escape');
  for (const [link, heading] of [
    ['Gallery', 'Mems Gallery'],
    ['Timeline', 'Memory Timeline'],
  ] as const) {
    await openMenu(page);
    await page.getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await page.getByRole('button', { name: 'Open Milo at the lake' }).click();
    await expect(detail(page, 'Featured Pet')).toHaveText('Milo the dog');
    await page.keyboard.press('Escape');
  }
  expect(calls).toHaveLength(1);
});

test('without pets the pet field links to adding one, and the form is kept', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(petSelect(page).getByRole('option')).toHaveText(['Select a pet (optional)']);
  await expectAccessibleLayout(page);
  await page.getByLabel('Caption').fill('Her first day here');
  await expectTextStored(page, 'Her first day here');
  await page.getByRole('dialog').getByRole('link', { name: 'Add your first pet' }).click();
  await expect(page.getByRole('button', { name: 'Add Your First Pet' })).toBeVisible();
  await createPet(page, { name: 'Rex', species: 'dog' });
  await goHome(page);
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('Her first day here');
});

test('memories work without pets that failed to load, which can be retried', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/pets');
  const petId = await createPet(page, { name: 'Rex', species: 'dog' });
  await page.route(PETS, (route) => route.abort());
  const changes = recordPatches(page);
  await openMemory(page, { petId, tags: 'a, b' });
  await expect(detail(page, 'The Story')).toHaveText('a • b');
  await expect(detail(page, 'Featured Pet')).toBeHidden();
  await edit(page);
  await page.getByLabel('Caption').fill('By the sea');
  await expect(page.getByText('Your pets could not be loaded.')).toBeVisible();
  await save(page);
  await expect(page.getByRole('dialog', { name: 'By the sea' })).toBeVisible();
  await expect.poll(() => changes).toEqual([{ caption: 'By the sea' }]);
  await edit(page);
  // The form fetches them too.
  await expect(page.getByText('Your pets could not be loaded.')).toBeVisible();
  await page.unroute(PETS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(petSelect(page)).toHaveValue(petId);
});

test('the draft restores the chosen pet unless it was deleted', async ({ page }) => {
  const rex = await createPet(page, { name: 'Rex', species: 'dog' });
  await createPet(page, { name: 'Milo', species: 'cat' });
  await blockEvents(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await petSelect(page).selectOption('Rex (Dog)');
  await expectTextStored(page, rex);
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(petSelect(page)).toHaveValue(rex);
  await deletePet(page, rex);
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByText('Session restored')).toBeVisible();
  await expect(petSelect(page)).toHaveValue('');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await expect(toast(page)).toContainText('Memory uploaded successfully! 🎉');
});

test('a photo is saved although its pet was deleted in another tab', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/memories/complete-upload');
  const rex = await createPet(page, { name: 'Rex', species: 'dog' });
  await blockEvents(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('At the lake');
  await petSelect(page).selectOption('Rex (Dog)');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await deletePet(page, rex);
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await expect(toast(page)).toContainText(
    'Memory uploaded successfully! 🎉 Its pet has been deleted, so it was added without one.',
  );
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
  await page.getByRole('button', { name: 'Open At the lake' }).click();
  await expect(detail(page, 'Featured Pet')).toBeHidden();
});

test('an edit is kept although its pet was deleted in another tab', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/memories/');
  const rex = await createPet(page, { name: 'Rex', species: 'dog' });
  const milo = await createPet(page, { name: 'Milo', species: 'cat' });
  await blockEvents(page);
  await openMemory(page, { petId: rex });
  const changes = recordPatches(page);
  await deletePet(page, milo);
  await edit(page);
  await page.getByLabel('Caption').fill('By the sea');
  await petSelect(page).selectOption('Milo (Cat)');
  await save(page);
  await expect(toast(page)).toContainText('Failed to update memory');
  await expect(petSelect(page).getByRole('option')).toHaveText(['No pet', 'Rex (Dog)']);
  await expect(petSelect(page)).toHaveValue(rex);
  await save(page);
  await expect(page.getByRole('dialog', { name: 'By the sea' })).toBeVisible();
  await expect(detail(page, 'Featured Pet')).toHaveText('Rex the dog');
  await expect
    .poll(() => changes)
    .toEqual([{ caption: 'By the sea', petId: milo }, { caption: 'By the sea' }]);
});

test('a pet and a date can be chosen with the keyboard only', async ({ page }) => {
  await createPet(page, { name: 'Rex', species: 'dog' });
  await openMemory(page, {});
  const { keyboard } = page;
  await keyboard.press('e');
  await expect(page.getByLabel('Caption')).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(petSelect(page)).toBeFocused();
  await keyboard.press('R');
  await keyboard.press('Tab');
  await expect(page.getByLabel('Memory Date')).toBeFocused();
  await keyboard.type('03012026');
  const saveButton = page.getByRole('button', { name: 'Save' });
  await expect(async () => {
    await keyboard.press('Tab');
    await expect(saveButton).toBeFocused({ timeout: 100 });
  }).toPass();
  await keyboard.press('Enter');
  await expect(detail(page, 'Featured Pet')).toHaveText('Rex the dog');
  await expect(detail(page, 'When')).toHaveText('March 1, 2026');
  await expect(page.getByRole('button', { name: 'Edit Memory' })).toBeFocused();
});

const longName = `${'Maximilian Bartholomew von Schnurrenstein '}${'Wau'.repeat(19)}`;
test.describe('in both color schemes', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds no violations, and a long name fits', { tag: '@phone' }, async ({ page }) => {
    const petId = await createPet(page, { name: longName, species: 'cat' });
    await openMemory(page, { petId, tags: 'summer, beach' });
    await expect(detail(page, 'Featured Pet')).toContainText('Schnurrenstein');
    await expectAccessibleLayout(page);
    await edit(page);
    await expect(petSelect(page)).toHaveValue(petId);
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Add Mems' }).click();
    await petSelect(page).selectOption(petId);
    await page.getByLabel('Time', { exact: true }).fill('10:00');
    await page.getByRole('button', { name: 'Upload Memory' }).click();
    await expect(page.getByText(/Please enter a date as well/)).toBeVisible();
    await expectAccessibleLayout(page);
  });
});

interface Details {
  petId?: string;
  tags?: string;
  memoryDate?: string;
}

async function addMemory(page: Page, details: Details, caption = 'At the lake'): Promise<void> {
  await createMemory(page, await smallPhoto(), caption, details);
}

async function openMemory(page: Page, details: Details): Promise<void> {
  await addMemory(page, details);
  await page.goto('/');
  await page.getByRole('button', { name: 'Open At the lake' }).click();
  await expect(page.getByRole('dialog')).toBeFocused();
}

async function edit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit Memory' }).click();
}

/** The form closes before the response. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Edit Memory' }).or(petSelect(page)).first()).toBeVisible();
}

async function goHome(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
}

async function deletePet(page: Page, id: string): Promise<void> {
  expect((await page.request.delete(`/api/pets/${id}`)).status()).toBe(204);
}

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

/** No horizontal scrolling, and no axe violations. */
async function expectAccessibleLayout(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => {
    const sheet = document.querySelector('[role=dialog]') ?? document.documentElement;
    return sheet.scrollWidth - sheet.clientWidth;
  });
  expect(overflow).toBe(0);
  await expectNoViolations(page);
}
