import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addMemories, expectShown, memories, search, SEARCHES, view } from './gallery.ts';
import { registerUser } from './users.ts';

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
}) => {
  await registerUser(page);
  await addMemories(page, ['Snow', 'Lake']);
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

test('a failed search shows an error, keeps its text and can be retried', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/memories/search');
  await registerUser(page);
  await addMemories(page, ['Snow', 'Lake']);
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
