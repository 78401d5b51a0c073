import type { Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { expectShown, memories, petFilter, search, SEARCHES, view } from '../../support/screens/gallery.ts';
import { addMemories, addPet } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

/** Delays the responses to these searches. @returns a function per search that releases it */
async function holdSearches(page: Page, words: string[]): Promise<Record<string, () => void>> {
  const release: Record<string, () => void> = {};
  const held = new Map(
    words.map((word) => [word, new Promise<void>((resolve) => (release[word] = resolve))]),
  );
  await page.route(SEARCHES, async (route) => {
    await held.get(new URL(route.request().url()).searchParams.get('q') ?? '');
    // The page may have canceled the request.
    await route.continue().catch(() => undefined);
  });
  return release;
}

test('the previous results stay until the new ones load, and late responses are ignored', async ({
  page,
  server,
}) => {
  addMemories(server, ['Snow', 'Lake']);
  await page.goto('/gallery');
  await expectShown(page, ['Lake', 'Snow']);
  const release = await holdSearches(page, ['lake', 'snow']);
  await search(page).fill('lake');
  await expect(memories(page)).toHaveAttribute('aria-busy', 'true');
  await expectShown(page, ['Lake', 'Snow']);
  await search(page).fill('snow');
  await expect(page).toHaveURL('/gallery?q=snow');
  release['snow']!();
  await expectShown(page, ['Snow']);
  release['lake']!();
  await page.unrouteAll({ behavior: 'wait' });
  await expectShown(page, ['Snow']);
  await expect(memories(page)).toHaveAttribute('aria-busy', 'false');
});

test('a failed search shows an error, keeps its text and can be retried', async ({ page, server }) => {
  addMemories(server, ['Snow', 'Lake']);
  await page.goto('/gallery?view=list');
  await expectShown(page, ['Lake', 'Snow']);
  await page.route(SEARCHES, (route) => route.abort(), { times: 1 });
  await search(page).fill('snow');
  await expect(page.getByRole('alert')).toContainText('Your memories could not be loaded.');
  await expect(search(page)).toHaveValue('snow');
  await expect(view(page, 'List')).toBeChecked();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectShown(page, ['Snow']);
});

test('the pet filter appears once there are pets, and filters by one', async ({ page, server }) => {
  addMemories(server, ['Nobody in sight']);
  await page.goto('/gallery');
  await expectShown(page, ['Nobody in sight']);
  await expect(petFilter(page)).toBeHidden();

  const { id: biscuit } = addPet(server, { name: 'Biscuit' });
  addPet(server, { name: 'Mochi', species: 'cat' });
  addMemories(server, ['Digging'], { petId: biscuit });
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

test('a pet deleted elsewhere is removed from the filter, and its memories stay', async ({
  page,
  server,
}) => {
  const { id: biscuit } = addPet(server, { name: 'Biscuit' });
  addMemories(server, ['Digging'], { petId: biscuit });
  await page.goto('/gallery');
  await expectShown(page, ['Digging']);
  await page.request.delete(`/api/pets/${biscuit}`);
  await petFilter(page).selectOption('Biscuit (Dog)');
  await expect(toast(page)).toContainText('Pet not found');
  await expectShown(page, ['Digging']);
  await expect(page).toHaveURL('/gallery');
  await expect(petFilter(page)).toBeHidden();
});

test('the gallery works with the keyboard only', async ({ page, server }) => {
  addPet(server, { name: 'Biscuit' });
  addMemories(server, ['Snow', 'Lake']);
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
  await expect(page.getByRole('button', { name: 'Loved', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(view(page, 'Grid')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(view(page, 'List')).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await expect(view(page, 'Grid')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Create Flipbook' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Order by date' })).toBeFocused();
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
