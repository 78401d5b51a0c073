import { expect, test } from './fixtures.ts';
import { addMemories, expectShown, holdLists, memories, memory, petFilter, search, view } from './gallery.ts';
import { cardEdit, editCard } from './memory-cards.ts';
import { blockEvents, recordPatches } from './network.ts';
import { openMenu, registerUser, toast } from './users.ts';
import { createPet } from './pets.ts';
import { createMemory, choosePhoto, smallPhoto } from './photos.ts';

test('the pet filter appears once there are pets, and filters by one', async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Nobody in sight']);
  await page.goto('/gallery');
  await expectShown(page, ['Nobody in sight']);
  await expect(petFilter(page)).toBeHidden();

  const biscuit = await createPet(page, { name: 'Biscuit', species: 'dog' });
  await createPet(page, { name: 'Mochi', species: 'cat' });
  await createMemory(page, await smallPhoto(), 'Digging', { petId: biscuit });
  await page.reload();
  await expect(petFilter(page).getByRole('option')).toHaveText(['All pets', 'Biscuit (Dog)', 'Mochi (Cat)']);
  await petFilter(page).selectOption('Biscuit (Dog)');
  await expectShown(page, ['Digging']);
  await expect(memories(page).getByRole('status').first()).toHaveText('1 memory found');
  await search(page).fill('sleeping');
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
  await search(page).fill('dig');
  await expectShown(page, ['Digging']);
  await petFilter(page).selectOption('Mochi (Cat)');
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all memories' }).click();
  await expectShown(page, ['Digging', 'Nobody in sight']);
  await expect(page).toHaveURL('/gallery');
  await expect(petFilter(page)).toHaveValue('');
});

test(
  'search, pet and view are in the URL: typing replaces the history entry, choosing adds one',
  { tag: '@quick' },
  async ({ page }) => {
    await registerUser(page);
    const biscuit = await createPet(page, { name: 'Biscuit', species: 'dog' });
    await createMemory(page, await smallPhoto(), 'Digging', { petId: biscuit });
    await addMemories(page, ['Dinner']);
    await page.goto('/');
    await openMenu(page);
    await page.getByRole('link', { name: 'Gallery' }).click();
    await search(page).fill('d');
    await expect(page).toHaveURL('/gallery?q=d');
    await search(page).fill('di');
    await expect(page).toHaveURL('/gallery?q=di');
    await petFilter(page).selectOption('Biscuit (Dog)');
    await view(page, 'List').check();
    await expect(page).toHaveURL(`/gallery?q=di&pet=${biscuit}&view=list`);
    await expectShown(page, ['Digging']);

    await page.reload();
    await expectShown(page, ['Digging']);
    await expect(search(page)).toHaveValue('di');
    await expect(petFilter(page)).toHaveValue(biscuit);
    await expect(view(page, 'List')).toBeChecked();

    await page.goBack();
    await expect(view(page, 'Grid')).toBeChecked();
    await page.goBack();
    await expect(petFilter(page)).toHaveValue('');
    await expectShown(page, ['Dinner', 'Digging']);
    await page.goBack();
    await expect(page).toHaveURL('/');
    await page.goForward();
    await expect(search(page)).toHaveValue('di');
  },
);

test('a pet deleted elsewhere is removed from the filter, and its memories stay', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/memories');
  await registerUser(page);
  const biscuit = await createPet(page, { name: 'Biscuit', species: 'dog' });
  await createMemory(page, await smallPhoto(), 'Digging', { petId: biscuit });
  await blockEvents(page);
  await page.goto('/gallery');
  await expectShown(page, ['Digging']);
  await page.request.delete(`/api/pets/${biscuit}`);
  await petFilter(page).selectOption('Biscuit (Dog)');
  await expect(toast(page)).toContainText('Pet not found');
  await expectShown(page, ['Digging']);
  await expect(page).toHaveURL('/gallery');
  await expect(petFilter(page)).toBeHidden();
});

test('a memory can be loved and edited in the list', { tag: '@phone' }, async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Snow', '']);
  const changes = recordPatches(page);
  await page.goto('/gallery?view=list');
  await expect(memory(page, 'Untitled Memory')).toBeVisible();
  const like = page.getByRole('button', { name: 'Love Snow' });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await editCard(page, 'Snow');
  await page.getByLabel('Caption').fill('Deep snow');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page)).toContainText('Memory Updated');
  await page.keyboard.press('Escape');
  await expect(memory(page, 'Deep snow')).toBeVisible();
  await expect(cardEdit(page, 'Deep snow')).toBeFocused();
  expect(changes).toEqual([{ isLiked: true }, { caption: 'Deep snow' }]);
});

test('closing while the first memory is created moves the focus to the heading', async ({ page }) => {
  await registerUser(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/memories/complete-upload', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Add your first photo' }).click();
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  const asked = page.waitForRequest('**/api/memories/complete-upload');
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await asked;
  await page.getByRole('button', { name: 'Close' }).click();
  release();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
});

test('twelve placeholders are shown while the first page loads', async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Snow']);
  const release = await holdLists(page);
  await page.goto('/gallery');
  for (const name of ['Grid', 'List'] as const) {
    await view(page, name).check();
    await expect(memories(page).getByRole('status').first()).toHaveText('Loading...');
    await expect(memories(page).locator('.grid > div')).toHaveCount(12);
  }
  release();
  await expectShown(page, ['Snow']);
});

test('the gallery works with the keyboard only', async ({ page }) => {
  await registerUser(page);
  await createPet(page, { name: 'Biscuit', species: 'dog' });
  await addMemories(page, ['Snow', 'Lake']);
  await page.goto('/gallery');
  await expectShown(page, ['Lake', 'Snow']);
  await search(page).focus();
  await page.keyboard.type('snow');
  await expect(page).toHaveURL('/gallery?q=snow');
  await expectShown(page, ['Snow']);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Clear search' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(petFilter(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(view(page, 'Grid')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(view(page, 'List')).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await expect(view(page, 'Grid')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Create Flipbook' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Select', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Add many' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Recently deleted' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Snow' });
  await expect(dialog).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
  await search(page).focus();
  await page.keyboard.press('Escape');
  await expect(search(page)).toHaveValue('');
  await expectShown(page, ['Lake', 'Snow']);
});
