import type { Locator, Page, Request, Route } from '@playwright/test';
import { blockEvents, follow } from '../../support/apps/network.ts';
import { addMemories, newMemory } from '../albums.ts';
import type { FakeApp } from '../fake-app.ts';
import { expect, test } from '../fixtures.ts';

const EVENTS = '/api/events';

function addElsewhere(app: FakeApp, caption: string): void {
  const memory = newMemory(app.server.state, { caption });
  app.server.state.album.create(memory);
  app.emit('change', { kind: 'memory', ids: [memory.id] });
}

/** Without those of the navigation. */
function entries(page: Page): Locator {
  return page.getByRole('main').getByRole('listitem');
}

test('changes missed while offline are fetched afterwards', async ({ page, server, fakeApp }) => {
  addMemories(server, ['Snow']);
  await blockEvents(page);
  await page.goto('/gallery');
  await expect(entries(page)).toHaveCount(1);
  addElsewhere(fakeApp, 'From the park');
  await expect(entries(page)).toHaveCount(1);

  await page.unroute(`**${EVENTS}`);
  const following = page.waitForResponse(`**${EVENTS}`);
  // Reconnects at once; the timer waits longer after each attempt.
  await page.evaluate(() => window.dispatchEvent(new Event('pageshow')));
  await following;
  await expect(entries(page)).toHaveCount(2);

  await page.route('**/api/memories?ids=*', (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('?ids='));
  addElsewhere(fakeApp, 'Lost on the way');
  await failed;
  addElsewhere(fakeApp, 'Lake');
  await expect(entries(page)).toHaveCount(4);
});

test('a memory created while its month is loading is counted', async ({ page, server, fakeApp }) => {
  addMemories(server, ['Snow']);
  const held: Route[] = [];
  await page.route('**/api/memories?*cursor=*', (route) => void held.push(route), { times: 1 });
  const looked = page.waitForResponse('**/api/memories?ids=*');
  await follow(page, '/timeline');
  await expect.poll(() => held).toHaveLength(1);
  addElsewhere(fakeApp, 'From the park');
  await looked;
  await held[0]?.continue();
  await expect(entries(page)).toContainText(['From the park', 'Snow']);
});

test('signed-out pages open no event stream', async ({ page, context, server }) => {
  server.state.isSignedIn = false;
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

  server.state.isSignedIn = true;
  await follow(page, '/');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect.poll(() => ended).toEqual(begun);
  expect(begun).toHaveLength(1);
});
