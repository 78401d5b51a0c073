import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { addPastMemories, pastDays } from './long-history.ts';
import { cardEdit, editCard } from './memory-cards.ts';
import { hearNothing, watchChanges } from './network.ts';
import { LOGGED_OUT, noticeSeen, openMenu, signUpQuickly, toast } from './people.ts';
import { addPetQuickly } from './pets.ts';
import { addMemoryQuickly, choosePhoto, finishUpload, smallPhoto } from './photos.ts';

const SEARCHES = '**/api/memories/search?*';
const LISTS = '**/api/memories?*';
const MOST_TILES = 60;
const HOUR = 60 * 60 * 1000;

function search(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search mems' });
}

function petFilter(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Pet' });
}

function view(page: Page, name: 'Grid' | 'List'): Locator {
  return page.getByRole('radio', { name });
}

/** @param isCovered by a dialog, which hides it from everything but the eye */
function memories(page: Page, isCovered = false): Locator {
  return page.getByRole('region', { name: 'Memories', includeHidden: isCovered });
}

/** The captions on the screen, in their order. */
async function expectShown(page: Page, captions: string[]): Promise<void> {
  const tiles = memories(page).getByRole('listitem');
  await expect(tiles).toHaveCount(captions.length);
  for (const [index, caption] of captions.entries()) await expect(tiles.nth(index)).toContainText(caption);
}

function memory(page: Page, caption: string): Locator {
  return memories(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(caption, { exact: true }) });
}

async function addMemories(page: Page, captions: string[]): Promise<void> {
  for (const caption of captions) await addMemoryQuickly(page, await smallPhoto(), caption);
}

/** Names of requests that were made, newest last. */
function watchSearches(page: Page): string[] {
  const searches: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/memories/search') searches.push(url.searchParams.get('q') ?? '');
  });
  return searches;
}

/** Answers to searches for these words wait. @returns what lets each of them go */
async function holdSearches(page: Page, words: string[]): Promise<Record<string, () => void>> {
  const letGo: Record<string, () => void> = {};
  const held = new Map(words.map((word) => [word, new Promise<void>((resolve) => (letGo[word] = resolve))]));
  await page.route(SEARCHES, async (route) => {
    await held.get(new URL(route.request().url()).searchParams.get('q') ?? '');
    // The page may have lost interest meanwhile.
    await route.continue().catch(() => undefined);
  });
  return letGo;
}

test('a memory is found while typing, by its caption, its tags and its pet, whatever the accents', async ({
  page,
}) => {
  await signUpQuickly(page);
  const petId = await addPetQuickly(page, { name: 'Señor Bigotes', species: 'cat' });
  await addMemoryQuickly(page, await smallPhoto(), 'Breakfast at the Café', { tags: 'summer, Plage' });
  await addMemoryQuickly(page, await smallPhoto(), 'Asleep in the sun', { petId });
  await addMemoryQuickly(page, await smallPhoto(), 'First snow', { tags: 'winter' });
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

test('a space at the end is not taken from whoever goes on typing', { tag: '@once' }, async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Red ball', 'Red leash']);
  await page.goto('/gallery');
  await search(page).pressSequentially('red ');
  await expect(page).toHaveURL('/gallery?q=red');
  await search(page).pressSequentially('b');
  await expectShown(page, ['Red ball']);
  await expect(search(page)).toHaveValue('red b');
});

test('it searches once someone pauses, or at once with Enter', { tag: '@once' }, async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Snow', 'Lake']);
  await page.clock.install();
  await page.goto('/gallery');
  await expectShown(page, ['Lake', 'Snow']);
  const searches = watchSearches(page);
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
  'the list before stays until the next is there, and the latest search wins over late answers',
  { tag: '@once' },
  async ({ page }) => {
    await signUpQuickly(page);
    await addMemories(page, ['Snow', 'Lake']);
    await page.goto('/gallery');
    await expectShown(page, ['Lake', 'Snow']);
    const letGo = await holdSearches(page, ['lake', 'snow']);
    await search(page).fill('lake');
    await expect(memories(page)).toHaveAttribute('aria-busy', 'true');
    await expectShown(page, ['Lake', 'Snow']);
    await search(page).fill('snow');
    await expect(page).toHaveURL('/gallery?q=snow');
    letGo['snow']!();
    await expectShown(page, ['Snow']);
    letGo['lake']!();
    await page.unrouteAll({ behavior: 'wait' });
    await expectShown(page, ['Snow']);
    await expect(memories(page)).toHaveAttribute('aria-busy', 'false');
  },
);

test('the pet filter is there once there are pets, and shows the memories of one', async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Nobody in sight']);
  await page.goto('/gallery');
  await expectShown(page, ['Nobody in sight']);
  await expect(petFilter(page)).toBeHidden();

  const biscuit = await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
  await addPetQuickly(page, { name: 'Mochi', species: 'cat' });
  await addMemoryQuickly(page, await smallPhoto(), 'Digging', { petId: biscuit });
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

test('search, pet and view live in the address: typing leaves no trace, choosing can be undone by the way back', async ({
  page,
}) => {
  await signUpQuickly(page);
  const biscuit = await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
  await addMemoryQuickly(page, await smallPhoto(), 'Digging', { petId: biscuit });
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
});

test('the way back ends what was being typed', { tag: '@once' }, async ({ page }) => {
  await signUpQuickly(page);
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

test('what makes no sense in the address falls back to what does', { tag: '@once' }, async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Snow']);
  await page.goto('/gallery?view=circle&tab=paintings&q=%00%20sn');
  await expectShown(page, ['Snow']);
  await expect(view(page, 'Grid')).toBeChecked();
  await expect(search(page)).toHaveValue('sn');
  await page.goto('/gallery?q=' + 'a'.repeat(3000));
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
});

test(
  'another user’s pet, or none at all, leads to all memories',
  { tag: '@once' },
  async ({ page, browser }) => {
    const others = await (await browser.newContext()).newPage();
    await signUpQuickly(others);
    const theirs = await addPetQuickly(others, { name: 'Rex', species: 'dog' });
    await addMemoryQuickly(others, await smallPhoto(), 'Not yours', { petId: theirs });
    await others.context().close();

    await signUpQuickly(page);
    await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
    await addMemories(page, ['Snow']);
    for (const pet of [theirs, 'nonsense']) {
      await page.goto(`/gallery?pet=${pet}`);
      await expectShown(page, ['Snow']);
      await expect(toast(page)).toContainText('Pet not found');
      await expect(page).toHaveURL('/gallery');
    }
  },
);

test(
  'a pet that was deleted elsewhere is left behind, and its memories stay',
  { tag: '@once' },
  async ({ page, expectRefusal }) => {
    expectRefusal('/api/memories');
    await signUpQuickly(page);
    const biscuit = await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
    await addMemoryQuickly(page, await smallPhoto(), 'Digging', { petId: biscuit });
    await hearNothing(page);
    await page.goto('/gallery');
    await expectShown(page, ['Digging']);
    await page.request.delete(`/api/pets/${biscuit}`);
    await petFilter(page).selectOption('Biscuit (Dog)');
    await expect(toast(page)).toContainText('Pet not found');
    await expectShown(page, ['Digging']);
    await expect(page).toHaveURL('/gallery');
    await expect(petFilter(page)).toBeHidden();
  },
);

test(
  'memories are found by a pet’s new name, and no longer by its old one',
  { tag: '@once' },
  async ({ page }) => {
    await signUpQuickly(page);
    const petId = await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
    await addMemoryQuickly(page, await smallPhoto(), 'Digging', { petId });
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
  },
);

for (const name of ['Grid', 'List'] as const) {
  test(`in the ${name.toLowerCase()} a memory can be loved and edited`, async ({ page }) => {
    await signUpQuickly(page);
    await addMemories(page, ['Snow', '']);
    const changes = watchChanges(page);
    await page.goto('/gallery');
    await view(page, name).check();
    await expect(memory(page, name === 'Grid' ? 'Untitled Mem' : 'Untitled Memory')).toBeVisible();
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
}

test(
  'a memory that an edit takes out of the search stays open until it is closed',
  { tag: '@once' },
  async ({ page }) => {
    await signUpQuickly(page);
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

async function addDays(page: Page, count: number, petId?: string): Promise<void> {
  const days = pastDays(count, petId ? { petId } : {});
  await addPastMemories(page, [await smallPhoto(), await smallPhoto(300, 400)], days);
}

test('thousands of memories come page by page, with few tiles at a time', async ({ page }) => {
  await signUpQuickly(page);
  const biscuit = await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
  await addDays(page, 2000, biscuit);
  const asked = new Set<string>();
  page.on('request', (request) => request.url().includes('/api/memories?') && asked.add(request.url()));
  await page.goto('/gallery?view=list');
  await expect(memory(page, 'Day 1')).toBeVisible();
  expect(asked.size).toBe(1);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const left = await page.evaluate(() => window.scrollY);
  await expect(page.locator('[role=listitem]', { hasText: 'Day 101' })).toBeAttached();
  expect(await page.evaluate(() => window.scrollY), 'the list that grew took nobody along').toBe(left);
  for (const last of ['Day 500', 'Day 1000', 'Day 2000']) {
    await expect
      .poll(
        async () => {
          const tiles = await page.locator('[role=listitem]').count();
          expect(tiles).toBeLessThanOrEqual(MOST_TILES);
          await page.evaluate(() => window.scrollBy(0, 12_000));
          return lastSeen(page);
        },
        { intervals: [20], timeout: 40_000 },
      )
      .toBeGreaterThanOrEqual(Number(last.slice(4)));
  }
  await expect(memory(page, 'Day 2000')).toBeVisible();
  expect(asked.size).toBe(20);

  const calls = watchCalls(page);
  const like = page.getByRole('button', { name: 'Love Day 2000' });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await edit(page, 'Day 2000', (dialog) => dialog.getByLabel('Caption').fill('The very first'));
  await expect(memory(page, 'The very first')).toBeVisible();
  expect(calls, 'neither a like nor an edit fetches the pages').toEqual(['PATCH', 'PATCH']);

  await page.goto(`/gallery?pet=${biscuit}`);
  await expect(memories(page).getByRole('status').first()).toHaveText('2000 memories found');
  calls.length = 0;
  await edit(page, 'Day 2', (dialog) => dialog.getByLabel('Pet').selectOption('No pet'));
  await expect(memories(page).getByRole('status').first()).toHaveText('1999 memories found');
  await expect(memory(page, 'Day 2')).toBeHidden();
  await expect(memory(page, 'Day 3')).toBeVisible();
  expect(calls, 'the memory is asked for, and the count').toEqual([
    'PATCH',
    expect.stringMatching(/^GET \/api\/memories\?petId=[^&]+&ids=[^&]+$/),
    `GET /api/memories/ids?petId=${biscuit}`,
  ]);
});

async function edit(
  page: Page,
  caption: string,
  write: (dialog: Locator) => Promise<unknown>,
): Promise<void> {
  await editCard(page, caption);
  await write(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page)).toContainText('Memory Updated');
  await page.keyboard.press('Escape');
}

/** The calls about memories from now on, changes by their method alone. */
function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    // Whether the one that lies open is shared is asked whatever else is.
    if (!pathname.startsWith('/api/memories') || pathname.endsWith('/share')) return;
    calls.push(request.method() === 'GET' ? `GET ${pathname}${search}` : request.method());
  });
  return calls;
}

test(
  'a list that was asked for before a like, and comes after it, shows the like',
  { tag: '@once' },
  async ({ page }) => {
    await signUpQuickly(page);
    await addMemories(page, ['Snow', 'Lake']);
    await page.goto('/gallery');
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const answered = new Promise<void>((resolve) => {
      void page.route(SEARCHES, async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      });
    });
    await search(page).fill('snow');
    await answered;
    const like = page.getByRole('button', { name: 'Love Snow' });
    const liked = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await like.click();
    await liked;
    letGo();
    await expectShown(page, ['Snow']);
    await expect(memories(page)).toHaveAttribute('aria-busy', 'false');
    await expect(like).toHaveAttribute('aria-pressed', 'true');
  },
);

/** The number in the caption of the last tile in the page. */
async function lastSeen(page: Page): Promise<number> {
  const text = await page
    .locator('[role=listitem]')
    .last()
    .innerText()
    .catch(() => '');
  return Number(/Day (\d+)/.exec(text)?.[1] ?? 0);
}

for (const name of ['Grid', 'List'] as const) {
  test(`whoever comes back to the ${name.toLowerCase()} finds themselves where they were`, async ({
    page,
  }) => {
    await signUpQuickly(page);
    await addDays(page, 350);
    await page.goto(name === 'List' ? '/gallery?view=list' : '/gallery');
    await expect
      .poll(
        async () => {
          await page.evaluate(() => window.scrollBy(0, 4000));
          return lastSeen(page);
        },
        { intervals: [20], timeout: 30_000 },
      )
      .toBeGreaterThanOrEqual(250);
    const before = await restingPlace(page);

    await goToPets(page);
    await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expectPlace(page, before);
    await page.reload();
    await expectPlace(page, before);

    await search(page).fill('day');
    await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(memory(page, 'Day 1')).toBeInViewport();
  });
}

interface Seen {
  caption: string;
  top: number;
}

/** The first memory in sight below the bar, once all has come to rest and was noted. */
async function restingPlace(page: Page): Promise<Seen> {
  let last: Seen | null = null;
  await expect
    .poll(
      async () => {
        const now = await firstInSight(page);
        const isStill = JSON.stringify(now) === JSON.stringify(last);
        last = now;
        return isStill && (await page.evaluate(() => JSON.stringify(history.state).includes('place')));
      },
      { intervals: [300] },
    )
    .toBe(true);
  return last!;
}

async function expectPlace(page: Page, { caption, top }: Seen): Promise<void> {
  await expect
    .poll(async () => {
      const now = await firstInSight(page);
      return now?.caption === caption && Math.abs(now.top - top) <= 2 ? 'there' : now;
    })
    .toBe('there');
}

function firstInSight(page: Page): Promise<Seen | null> {
  return page.locator('[role=listitem]').evaluateAll((tiles) => {
    const seen = tiles
      .map((tile) => ({
        caption: /Day \d+/.exec((tile as HTMLElement).innerText)?.[0] ?? '',
        top: tile.getBoundingClientRect().top,
      }))
      .filter(({ top }) => top >= 80);
    return seen[0] ?? null;
  });
}

/** As the keyboard does from far down; Playwright's click would first scroll up to the link. */
async function goToPets(page: Page): Promise<void> {
  await page.locator('a[href="/pets"]').dispatchEvent('click');
}

test('an empty gallery says what goes here, and begins it', async ({ page }) => {
  await signUpQuickly(page);
  await page.goto('/gallery');
  await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
  await expect(page.getByText('Upload your first memory to get started!')).toBeVisible();
  await page.getByRole('button', { name: 'Add your first photo' }).click();
  await page.getByLabel('Caption').fill('The very first');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await page.getByRole('button', { name: 'Upload 1 file' }).click();
  await finishUpload(page);
  await expectShown(page, ['The very first']);
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
});

test(
  'who leaves while the first memory is being made finds the focus on the heading, too',
  { tag: '@once' },
  async ({ page }) => {
    await signUpQuickly(page);
    let letGo = () => {};
    const isHeld = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/memories/complete-upload', async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.goto('/gallery');
    await page.getByRole('button', { name: 'Add your first photo' }).click();
    await page.getByRole('button', { name: 'Upload Memory' }).click();
    await choosePhoto(page, await smallPhoto());
    const asked = page.waitForRequest('**/api/memories/complete-upload');
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await asked;
    await page.getByRole('button', { name: 'Close' }).click();
    letGo();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
  },
);

test('a search without results says so, and leads back to all', async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Snow']);
  const letGo = await holdLists(page);
  await page.goto('/gallery?q=zebra');
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
  await expect(page.getByText('Try adjusting your search terms')).toBeVisible();
  await page.getByRole('button', { name: 'Show all memories' }).click();
  await expect(memories(page).getByRole('status').first()).toHaveText('Loading...');
  await expect(page.getByText('No memories yet')).toBeHidden();
  letGo();
  await expectShown(page, ['Snow']);
});

test('while the first page is on its way there are twelve placeholders', async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Snow']);
  const letGo = await holdLists(page);
  await page.goto('/gallery');
  for (const name of ['Grid', 'List'] as const) {
    await view(page, name).check();
    await expect(memories(page).getByRole('status').first()).toHaveText('Loading...');
    await expect(memories(page).locator('.grid > div')).toHaveCount(12);
  }
  letGo();
  await expectShown(page, ['Snow']);
});

/** Answers to lists without a search wait. @returns what lets them go */
async function holdLists(page: Page): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(LISTS, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

test(
  'a search that fails says so and keeps what was asked; the next try succeeds',
  { tag: '@once' },
  async ({ page, expectRefusal }) => {
    expectRefusal('/api/memories/search');
    await signUpQuickly(page);
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

test('a visitor is told and sent to sign in', { tag: '@once' }, async ({ page }) => {
  await Promise.all([noticeSeen(page, LOGGED_OUT), page.goto('/gallery')]);
  await expect(page).toHaveURL('/auth');
});

test('so is who finds the session gone', { tag: '@once' }, async ({ page, expectRefusal }) => {
  // Whatever is asked meanwhile is refused, too.
  expectRefusal('/api/');
  await signUpQuickly(page);
  await addMemories(page, ['Snow']);
  await page.goto('/gallery');
  await expectShown(page, ['Snow']);
  await page.request.post('/api/logout');
  await Promise.all([noticeSeen(page, LOGGED_OUT), search(page).fill('snow')]);
  await expect(page).toHaveURL('/auth');
});

test('the keyboard alone is enough', { tag: '@once' }, async ({ page }) => {
  await signUpQuickly(page);
  await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
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
  await expect(page.getByRole('link', { name: 'Recently deleted' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Snow' });
  await expect(dialog.getByRole('button', { name: 'Edit Memory' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
  await search(page).focus();
  await page.keyboard.press('Escape');
  await expect(search(page)).toHaveValue('');
  await expectShown(page, ['Lake', 'Snow']);
});

test('nothing scrolls sideways at 360 px, however long the names', { tag: '@once' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signUpQuickly(page);
  await addPetQuickly(page, { name: 'Hohenzollern'.repeat(8), species: 'dog' });
  await addMemoryQuickly(page, await smallPhoto(), 'Donaudampfschiff'.repeat(12), {
    tags: 'Kapitänsmütze'.repeat(12),
  });
  for (const path of ['/gallery', '/gallery?view=list', `/gallery?q=${'zebra'.repeat(30)}`]) {
    await page.goto(path);
    await expect(petFilter(page)).toBeVisible();
    await expect(page.getByText(/^(Donau|No memories found)/)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
});

test.describe('axe finds nothing', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('in the gallery, full, empty, searched and failing', async ({ page, expectRefusal }) => {
    expectRefusal('/api/memories/search');
    await signUpQuickly(page);
    await page.goto('/gallery');
    await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
    await expectNoViolations(page);
    await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
    await addMemories(page, ['Snow', 'הכלבה בים']);
    await page.reload();
    for (const name of ['Grid', 'List'] as const) {
      await view(page, name).check();
      await expectShown(page, ['הכלבה בים', 'Snow']);
      await expectNoViolations(page);
    }
    await search(page).fill('snow');
    await expectShown(page, ['Snow']);
    await expectNoViolations(page);
    await search(page).fill('zebra');
    await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
    await expectNoViolations(page);
    await page.route(SEARCHES, (route) => route.abort());
    await search(page).fill('lion');
    await expect(page.getByRole('alert')).toBeVisible();
    await expectNoViolations(page);
  });
});
