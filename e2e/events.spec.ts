import type { Locator, Page, Request, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { deleteCard } from './memory-cards.ts';
import { blockEvents } from './network.ts';
import { openMenu, registerUser } from './users.ts';
import { createPet } from './pets.ts';
import { createMemory, smallPhoto } from './photos.ts';

const EVENTS = '/api/events';

/** Opens the page and waits for its event stream. */
async function follow(page: Page, path: string): Promise<Page> {
  const following = page.waitForResponse(`**${EVENTS}`);
  await page.goto(path);
  await following;
  return page;
}

async function addElsewhere(page: Page, caption: string): Promise<void> {
  await createMemory(page, await smallPhoto(), caption);
}

/** Without those of the navigation. */
function entries(page: Page): Locator {
  return page.getByRole('main').getByRole('listitem');
}

function collection(page: Page): Locator {
  return page.getByRole('region', { name: 'Your Memory Collection' });
}

/** Records the page's requests for memories. */
function watchReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/memories')) reads.push(pathname + search);
  });
  return reads;
}

test('memories created, liked and deleted elsewhere are updated in every open page', async ({
  page,
  context,
}) => {
  await registerUser(page);
  await addElsewhere(page, 'Snow');
  await addElsewhere(page, 'Lake');
  const gallery = await follow(page, '/gallery');
  const home = await follow(await context.newPage(), '/');
  const timeline = await follow(await context.newPage(), '/timeline');
  await expect(entries(gallery)).toHaveCount(2);
  await expect(home.getByText('2 memories captured')).toBeVisible();
  await expect(entries(timeline)).toHaveCount(2);

  const reads = watchReads(gallery);
  await addElsewhere(page, 'From the park');
  for (const [each, items] of [
    [gallery, entries(gallery)],
    [home, collection(home).getByRole('listitem')],
    [timeline, entries(timeline)],
  ] as const) {
    await each.bringToFront();
    await expect(items).toHaveCount(3);
    await expect(items.first()).toContainText('From the park');
  }
  await expect(home.getByText('3 memories captured')).toBeVisible();
  await expect(home.getByRole('region', { name: 'Your Mems Timeline' }).getByRole('listitem')).toHaveCount(3);
  await gallery.bringToFront();
  await gallery.getByRole('button', { name: 'Love Lake' }).click();
  await expect(home.getByRole('button', { name: 'Love Lake' })).toHaveAttribute('aria-pressed', 'true');
  await deleteCard(gallery, 'Snow');
  await expect(home.getByText('2 memories captured')).toBeVisible();
  await expect(entries(timeline)).toHaveCount(2);
  await home.bringToFront();
  await deleteCard(home, 'From the park');
  await expect(entries(gallery)).toHaveCount(1);
  // Only the new memory's page of the list was fetched; likes and deletions are applied without it.
  expect(reads.filter((read) => !read.includes('ids='))).toEqual(['/api/memories?limit=100']);
});

test('pets are updated, too; changes missed while offline are fetched afterwards', async ({
  page,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/memories');
  await registerUser(page);
  await addElsewhere(page, 'Snow');
  const pets = await follow(await context.newPage(), '/pets');
  await expect(pets.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
  await blockEvents(page);
  await page.goto('/gallery');
  await expect(entries(page)).toHaveCount(1);

  await createPet(page, { name: 'Biscuit', species: 'dog' });
  await addElsewhere(page, 'From the park');
  await expect(pets.getByRole('article', { name: 'Biscuit' })).toBeVisible();
  await expect(entries(page)).toHaveCount(1);

  await page.unroute(`**${EVENTS}`);
  // Reconnects at once; the timer waits longer after each attempt.
  await page.evaluate(() => window.dispatchEvent(new Event('pageshow')));
  await expect(entries(page)).toHaveCount(2, { timeout: 30_000 });

  await page.route('**/api/memories?ids=*', (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('?ids='));
  await addElsewhere(page, 'Lost on the way');
  await failed;
  await addElsewhere(page, 'Lake');
  await expect(entries(page)).toHaveCount(4);
});

test('a memory created while its month is loading is counted', async ({ page }) => {
  await registerUser(page);
  await addElsewhere(page, 'Snow');
  const held: Route[] = [];
  await page.route('**/api/memories?*cursor=*', (route) => void held.push(route), { times: 1 });
  const looked = page.waitForResponse('**/api/memories?ids=*');
  await follow(page, '/timeline');
  await expect.poll(() => held).toHaveLength(1);
  await addElsewhere(page, 'From the park');
  await looked;
  await held[0]?.continue();
  await expect(entries(page)).toContainText(['From the park', 'Snow']);
});

test('signed-out pages open no event stream', async ({ page, context }) => {
  const begun: Request[] = [];
  const ended: Request[] = [];
  const note = (requests: Request[]) => (request: Request) =>
    request.url().endsWith(EVENTS) && requests.push(request);
  context.on('request', note(begun));
  context.on('requestfinished', note(ended));
  context.on('requestfailed', note(ended));
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  expect(begun).toEqual([]);

  await registerUser(page);
  await follow(page, '/');
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect.poll(() => ended).toEqual(begun);
  expect(begun).toHaveLength(1);
});
