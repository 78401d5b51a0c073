import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addMemories, expectShown, holdLists, memories, memory, search, SEARCHES, view } from './gallery.ts';
import { editCard } from './memory-cards.ts';
import { waitForResponseTo, blockEvents } from './network.ts';
import { openMenu, registerUser, toast } from './users.ts';
import { createPet } from './pets.ts';
import { createMemory, smallPhoto } from './photos.ts';

const HOUR = 60 * 60 * 1000;

/** The search texts of requests, oldest first. */
function recordSearches(page: Page): string[] {
  const searches: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/memories/search') searches.push(url.searchParams.get('q') ?? '');
  });
  return searches;
}

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

test('search while typing finds captions, tags and pets, and ignores accents', async ({ page }) => {
  await registerUser(page);
  const petId = await createPet(page, { name: 'Señor Bigotes', species: 'cat' });
  await createMemory(page, await smallPhoto(), 'Breakfast at the Café', { tags: 'summer, Plage' });
  await createMemory(page, await smallPhoto(), 'Asleep in the sun', { petId });
  await createMemory(page, await smallPhoto(), 'First snow', { tags: 'winter' });
  await page.goto('/');
  await openMenu(page);
  await page.getByRole('link', { name: 'Gallery' }).click();
  await expect(page).toHaveTitle('Mems Gallery · Mems Are Forever');
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeVisible();
  await expectShown(page, ['First snow', 'Asleep in the sun', 'Breakfast at the Café']);

  await search(page).pressSequentially('CAFE');
  await expectShown(page, ['Breakfast at the Café']);
  await expect(memories(page).getByRole('status').first()).toHaveText('1 memory found');
  await search(page).fill('plag breakf');
  await expectShown(page, ['Breakfast at the Café']);
  await search(page).fill('senor BIG');
  await expectShown(page, ['Asleep in the sun']);
  await search(page).fill('s');
  await expectShown(page, ['First snow', 'Asleep in the sun', 'Breakfast at the Café']);
  await expect(memories(page).getByRole('status').first()).toHaveText('3 memories found');

  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(search(page)).toBeFocused();
  await expect(search(page)).toHaveValue('');
  await expect(page).toHaveURL('/gallery');
  await expect(page.getByText('memories found')).toBeHidden();
});

test('a trailing space stays while typing', { tag: '@once' }, async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Red ball', 'Red leash']);
  await page.goto('/gallery');
  await search(page).pressSequentially('red ');
  await expect(page).toHaveURL('/gallery?q=red');
  await search(page).pressSequentially('b');
  await expectShown(page, ['Red ball']);
  await expect(search(page)).toHaveValue('red b');
});

test('search is debounced, and immediate with Enter', { tag: '@once' }, async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Snow', 'Lake']);
  await page.clock.install();
  // A gap of an hour in the event stream would refetch everything.
  await blockEvents(page);
  await page.goto('/gallery');
  await expectShown(page, ['Lake', 'Snow']);
  const searches = recordSearches(page);
  await page.clock.pauseAt(Date.now() + HOUR);
  await search(page).fill('la');
  await page.clock.runFor(249);
  await search(page).fill('lak');
  await page.clock.runFor(249);
  await expect(page).toHaveURL('/gallery');
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/gallery?q=lak');
  await search(page).fill('snow');
  await search(page).press('Enter');
  await expect(page).toHaveURL('/gallery?q=snow');
  await page.clock.resume();
  await expectShown(page, ['Snow']);
  expect(searches).toEqual(['lak', 'snow']);
});

test(
  'the previous results stay until the new ones load, and late responses are ignored',
  { tag: '@once' },
  async ({ page }) => {
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
  },
);

test('going back discards the typed text', { tag: '@once' }, async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Snow', 'Lake']);
  await page.clock.install();
  await page.goto('/gallery?q=lake');
  await view(page, 'List').check();
  await search(page).fill('snow');
  await expect(page).toHaveURL('/gallery?q=snow&view=list');
  await page.clock.pauseAt(Date.now() + HOUR);
  await search(page).fill('snowman');
  await page.goBack();
  await expect(search(page)).toHaveValue('lake');
  await page.clock.runFor(1000);
  await page.clock.resume();
  await expectShown(page, ['Lake']);
  await expect(page).toHaveURL('/gallery?q=lake');
});

test('invalid search params fall back to defaults', { tag: '@once' }, async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Snow']);
  await page.goto('/gallery?view=circle&tab=paintings&q=%00%20sn');
  await expectShown(page, ['Snow']);
  await expect(view(page, 'Grid')).toBeChecked();
  await expect(search(page)).toHaveValue('sn');
  await page.goto('/gallery?q=' + 'a'.repeat(3000));
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
});

test('search finds memories by a pet’s new name, not its old one', { tag: '@once' }, async ({ page }) => {
  await registerUser(page);
  const petId = await createPet(page, { name: 'Biscuit', species: 'dog' });
  await createMemory(page, await smallPhoto(), 'Digging', { petId });
  await page.goto('/gallery?q=biscuit');
  await expectShown(page, ['Digging']);
  await openMenu(page);
  await page.getByRole('link', { name: 'My Pets' }).click();
  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Waffle');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page)).toContainText('Pet updated successfully!');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
  await search(page).fill('waffle');
  await expectShown(page, ['Digging']);
});

test(
  'a memory that an edit removes from the results stays open until it is closed',
  { tag: '@once' },
  async ({ page }) => {
    await registerUser(page);
    await addMemories(page, ['Snow man', 'Snow ball', 'Snow fall']);
    await page.goto('/gallery?q=snow');
    await expectShown(page, ['Snow fall', 'Snow ball', 'Snow man']);
    await editCard(page, 'Snow ball');
    const left = page.waitForResponse(SEARCHES);
    await page.getByLabel('Caption').fill('Ice');
    await page.getByRole('button', { name: 'Save' }).click();
    await left;
    await expect(page.locator('[role=listitem]')).toHaveCount(2);
    const dialog = page.getByRole('dialog', { name: 'Ice' });
    await dialog.getByRole('button', { name: 'Love', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Loved' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog).toBeHidden();
    await expectShown(page, ['Snow fall', 'Snow man']);
    await expect(memories(page).getByRole('status').first()).toHaveText('2 memories found');
    await expect(memory(page, 'Snow man').getByRole('button').first()).toBeFocused();
    await search(page).fill('ice');
    await expect(page.getByRole('button', { name: 'Love Ice' })).toHaveAttribute('aria-pressed', 'true');
  },
);

test(
  'a list requested before a like that arrives after it shows the like',
  { tag: '@once' },
  async ({ page }) => {
    await registerUser(page);
    await addMemories(page, ['Snow', 'Lake']);
    await page.goto('/gallery');
    await expectShown(page, ['Lake', 'Snow']);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const isFound = new Promise<void>((resolve) => {
      void page.route(
        SEARCHES,
        async (route) => {
          const response = await route.fetch();
          resolve();
          await held;
          await route.fulfill({ response });
        },
        { times: 1 },
      );
    });
    await search(page).fill('snow');
    await isFound;
    const like = page.getByRole('button', { name: 'Love Snow' });
    const liked = waitForResponseTo(page, 'PATCH');
    await like.click();
    await liked;
    release();
    await expectShown(page, ['Snow']);
    await expect(memories(page)).toHaveAttribute('aria-busy', 'false');
    await expect(like).toHaveAttribute('aria-pressed', 'true');
  },
);

test('a search without results offers to show all memories', async ({ page }) => {
  await registerUser(page);
  await addMemories(page, ['Snow']);
  const release = await holdLists(page);
  await page.goto('/gallery?q=zebra');
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
  await expect(page.getByText('Try adjusting your search terms')).toBeVisible();
  await page.getByRole('button', { name: 'Show all memories' }).click();
  await expect(memories(page).getByRole('status').first()).toHaveText('Loading...');
  await expect(page.getByText('No memories yet')).toBeHidden();
  release();
  await expectShown(page, ['Snow']);
});

test(
  'a failed search shows an error, keeps its text and can be retried',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
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
  },
);
