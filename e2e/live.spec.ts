import type { Locator, Page, Request, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addPastMemories } from './past-memories.ts';
import { deleteCard } from './memory-cards.ts';
import { hearNothing } from './network.ts';
import { openMenu, signUpQuickly } from './people.ts';
import { addPetQuickly } from './pets.ts';
import { addMemoryQuickly, smallPhoto } from './photos.ts';

const EVENTS = '/api/events';
const DAY = 24 * 60 * 60 * 1000;

/** Goes there, and hears of what is done elsewhere from then on. */
async function follow(page: Page, path: string): Promise<Page> {
  const following = page.waitForResponse(`**${EVENTS}`);
  await page.goto(path);
  await following;
  return page;
}

async function addElsewhere(page: Page, caption: string): Promise<void> {
  await addMemoryQuickly(page, await smallPhoto(), caption);
}

/** Not those of the navigation. */
function entries(page: Page): Locator {
  return page.getByRole('main').getByRole('listitem');
}

function collection(page: Page): Locator {
  return page.getByRole('region', { name: 'Your Memory Collection' });
}

/** What of the memories the page asks for from now on. */
function watchReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/memories')) reads.push(pathname + search);
  });
  return reads;
}

/** When the page has asked for what was changed elsewhere, and drawn it if it was to be drawn. */
async function hasLooked(page: Page): Promise<void> {
  await page.waitForResponse(/\/api\/memories\?ids=/);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 6; frame++) await new Promise(requestAnimationFrame);
  });
}

test('what is made, loved and deleted elsewhere is seen in every open page, at its place', async ({
  page,
  context,
}) => {
  await signUpQuickly(page);
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
  // The one memory, and the page of the list that it belongs to.
  expect(reads).toEqual([expect.stringMatching(/^\/api\/memories\?ids=[^&,%]+$/), '/api/memories?limit=100']);

  reads.length = 0;
  await gallery.bringToFront();
  await gallery.getByRole('button', { name: 'Love Lake' }).click();
  await expect(home.getByRole('button', { name: 'Love Lake' })).toHaveAttribute('aria-pressed', 'true');
  await deleteCard(gallery, 'Snow');
  await expect(home.getByText('2 memories captured')).toBeVisible();
  await expect(entries(timeline)).toHaveCount(2);
  await home.bringToFront();
  await deleteCard(home, 'From the park');
  await expect(entries(gallery)).toHaveCount(1);
  // A page knows from the memories themselves what its lists show now.
  expect(reads.filter((read) => !read.includes('ids='))).toEqual([]);
});

test('nothing in sight moves when memories arrive above it', async ({ page, context }) => {
  await signUpQuickly(page);
  await addPastMemories(
    page,
    [await smallPhoto()],
    Array.from({ length: 60 }, (_, index) => ({
      createdAt: new Date(Date.now() - (index + 1) * DAY).toISOString(),
      caption: `Memory ${index}`,
    })),
  );
  const gallery = await follow(page, '/gallery');
  const timeline = await follow(await context.newPage(), '/timeline');
  for (const each of [gallery, timeline]) {
    await each.bringToFront();
    await expect(each.getByText('Memory 0', { exact: true })).toBeVisible();
    await each.evaluate(() => window.scrollTo(0, 3_000));
  }
  const seen = await Promise.all([gallery, timeline].map(whatHasSettled));
  const looked = [gallery, timeline].map(hasLooked);
  await addElsewhere(page, 'From the park');
  await Promise.all(looked);
  expect(await Promise.all([gallery, timeline].map(whatIsInSight))).toEqual(seen);

  for (const each of [gallery, timeline]) {
    await each.bringToFront();
    await each.evaluate(() => window.scrollTo(0, 0));
    await expect(entries(each).first()).toContainText('From the park');
  }
});

/** What is in sight, once all of it is known and nothing moves any more. */
async function whatHasSettled(page: Page): Promise<unknown> {
  const seen: unknown[] = [];
  const settled = async () => {
    seen.unshift(await whatIsInSight(page));
    return seen[0] !== null && JSON.stringify(seen[0]) === JSON.stringify(seen[1]);
  };
  await expect.poll(settled, { timeout: 30_000 }).toBe(true);
  return seen[0];
}

/** The entries and where they are; null while one is on its way. Their pictures' places are kept. */
function whatIsInSight(page: Page): Promise<unknown> {
  return entries(page).evaluateAll((items) => {
    const inSight = items.filter((item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    if (inSight.length === 0 || !inSight.every((item) => item.querySelector('img'))) return null;
    return inSight.map((item) => ({
      text: item.textContent,
      top: Math.round(item.getBoundingClientRect().top),
    }));
  });
}

test(
  'pets are followed too; what was missed while nothing was heard is seen afterwards',
  { tag: '@once' },
  async ({ page, context, expectRefusal }) => {
    expectRefusal('/api/memories');
    await signUpQuickly(page);
    await addElsewhere(page, 'Snow');
    const pets = await follow(await context.newPage(), '/pets');
    await expect(pets.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
    await hearNothing(page);
    await page.goto('/gallery');
    await expect(entries(page)).toHaveCount(1);

    await addPetQuickly(page, { name: 'Biscuit', species: 'dog' });
    await addElsewhere(page, 'From the park');
    await expect(pets.getByRole('article', { name: 'Biscuit' })).toBeVisible();
    await expect(entries(page)).toHaveCount(1);

    await page.unroute(`**${EVENTS}`);
    // As if come back to; otherwise it tries again by itself, ever more seldom.
    await page.evaluate(() => window.dispatchEvent(new Event('pageshow')));
    await expect(entries(page)).toHaveCount(2, { timeout: 30_000 });

    await page.route('**/api/memories?ids=*', (route) => route.abort(), { times: 1 });
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('?ids='));
    await addElsewhere(page, 'Lost on the way');
    await failed;
    await addElsewhere(page, 'Lake');
    await expect(entries(page)).toHaveCount(4);
  },
);

test('what comes while a month is on its way is counted in it', { tag: '@once' }, async ({ page }) => {
  await signUpQuickly(page);
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

test('who is signed out follows nothing', { tag: '@once' }, async ({ page, context }) => {
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

  await signUpQuickly(page);
  await follow(page, '/');
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect.poll(() => ended).toEqual(begun);
  expect(begun).toHaveLength(1);
});
