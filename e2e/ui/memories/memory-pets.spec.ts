import type { Locator, Page, Request } from '@playwright/test';
import type { Memory } from '#shared/album/memory';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { openMenu, toast } from '../../support/accounts/users.ts';
import { recordPatches } from '../../support/apps/network.ts';
import { fillPet } from '../../support/screens/pets.ts';
import { choosePhoto, expectTextStored, finishUpload, smallPhoto } from '../../support/screens/photos.ts';
import { addMemory, addPet } from '../albums.ts';
import { expect, letTimePass, test } from '../fixtures.ts';

const PETS = '**/api/pets?*';

test('a time without a date and an incomplete date are rejected', async ({ page, server }) => {
  await openMemory(page, server, {});
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

test('a renamed pet changes everywhere, and a deleted one leaves its memories', async ({ page, server }) => {
  const { id: rex } = addPet(server, { name: 'Rex', species: 'dog' });
  addMemory(server, null, { petId: rex, memoryDate: '2026-03-01' });
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

test('the pets are fetched once, and not per memory', async ({ page, server }) => {
  const calls: string[] = [];
  const isOfPets = (request: Request) => new URL(request.url()).pathname.startsWith('/api/pets');
  page.on('request', (request) => isOfPets(request) && calls.push(request.url()));
  for (const name of ['Rex', 'Milo', 'Zip']) {
    const { id: petId } = addPet(server, { name });
    addMemory(server, `${name} at the lake`, { petId });
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

test('without pets the pet field links to adding one, and the form is kept', async ({ page, server }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(petSelect(page).getByRole('option')).toHaveText(['Select a pet (optional)']);

  await page.getByLabel('Caption').fill('Her first day here');
  await expectTextStored(page, 'Her first day here');
  await page.getByRole('dialog').getByRole('link', { name: 'Add your first pet' }).click();
  await expect(page.getByRole('button', { name: 'Add Your First Pet' })).toBeVisible();
  addPet(server, { name: 'Rex', species: 'dog' });
  await goHome(page);
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('Her first day here');
});

test('memories work without pets that failed to load, which can be retried', async ({ page, server }) => {
  const { id: petId } = addPet(server, { name: 'Rex', species: 'dog' });
  await page.route(PETS, (route) => route.abort());
  const changes = recordPatches(page);
  await openMemory(page, server, { petId, tags: ['a', 'b'] });
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

test('the draft restores the chosen pet unless it was deleted', async ({ page, server }) => {
  const { id: rex } = addPet(server, { name: 'Rex', species: 'dog' });
  addPet(server, { name: 'Milo', species: 'cat' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await petSelect(page).selectOption('Rex (Dog)');
  await expectTextStored(page, rex);
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(petSelect(page)).toHaveValue(rex);
  deletePet(server, rex);
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByText('Session restored')).toBeVisible();
  await expect(petSelect(page)).toHaveValue('');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await expect(toast(page)).toContainText('Memory uploaded successfully! 🎉');
});

test('a photo is saved although its pet was deleted in another tab', async ({ page, server }) => {
  await letTimePass(page);
  const { id: rex } = addPet(server, { name: 'Rex', species: 'dog' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('At the lake');
  await petSelect(page).selectOption('Rex (Dog)');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  deletePet(server, rex);
  await rejectPetOnce(page, '**/complete-upload');
  const requests: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/complete-upload')) requests.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await expect(toast(page)).toContainText(
    'Memory uploaded successfully! 🎉 Its pet has been deleted, so it was added without one.',
  );
  expect(requests).toMatchObject([{ petId: rex }, { petId: '' }]);
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
  await page.getByRole('button', { name: 'Open At the lake' }).click();
  await expect(detail(page, 'Featured Pet')).toBeHidden();
});

test('an edit is kept although its pet was deleted in another tab', async ({ page, server }) => {
  const { id: rex } = addPet(server, { name: 'Rex', species: 'dog' });
  const { id: milo } = addPet(server, { name: 'Milo', species: 'cat' });
  await openMemory(page, server, { petId: rex });
  const changes = recordPatches(page);
  deletePet(server, milo);
  await rejectPetOnce(page, /\/api\/memories\/[0-9a-f-]{36}$/);
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

test('a pet and a date can be chosen with the keyboard only', async ({ page, server }) => {
  addPet(server, { name: 'Rex', species: 'dog' });
  await openMemory(page, server, {});
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

async function openMemory(page: Page, server: FakeServer, details: Partial<Memory>): Promise<void> {
  addMemory(server, 'At the lake', details);
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

/** Answers a request that names a deleted pet as the server does. */
async function rejectPetOnce(page: Page, url: string | RegExp): Promise<void> {
  const json = { message: 'This pet was not found.' };
  await page.route(url, (route) => route.fulfill({ status: 404, json }), { times: 1 });
}

/** In another tab. */
function deletePet({ state }: FakeServer, id: string): void {
  state.pets = state.pets.filter((pet) => pet.id !== id);
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
