import type { Locator, Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { memories, memory, search } from '../../support/screens/gallery.ts';
import { editCard } from '../../support/screens/memory-cards.ts';
import { addDays, addPet } from '../albums.ts';
import { expect, phone, test } from '../fixtures.ts';

const MAX_TILES = 60;

const shapes: [number, number][] = [
  [640, 480],
  [300, 400],
];

test.describe('on a phone', () => {
  test.use(phone);
  test('hundreds of memories load page by page with few mounted tiles', async ({ page, server }) => {
    const { id: biscuit } = addPet(server, { name: 'Biscuit' });
    addDays(server, 500, { petId: biscuit, shapes });
    const requestedUrls = new Set<string>();
    page.on(
      'request',
      (request) => request.url().includes('/api/memories?') && requestedUrls.add(request.url()),
    );
    await page.goto('/gallery?view=list');
    await expect(memory(page, 'Day 1')).toBeVisible();
    expect(requestedUrls.size).toBe(1);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const left = await page.evaluate(() => window.scrollY);
    await expect(page.locator('[role=listitem]', { hasText: 'Day 101' })).toBeAttached();
    expect(await page.evaluate(() => window.scrollY), 'appended memories do not scroll the page').toBe(left);
    for (const last of ['Day 300', 'Day 500']) {
      await expect
        .poll(
          async () => {
            const tiles = await page.locator('[role=listitem]').count();
            expect(tiles).toBeLessThanOrEqual(MAX_TILES);
            await page.evaluate(() => window.scrollBy(0, 12_000));
            return lastMountedDay(page);
          },
          { intervals: [20], timeout: 40_000 },
        )
        .toBeGreaterThanOrEqual(Number(last.slice(4)));
    }
    await expect(memory(page, 'Day 500')).toBeVisible();
    expect(requestedUrls.size).toBe(5);

    const calls = recordRequests(page);
    const like = page.getByRole('button', { name: 'Love Day 500' });
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await edit(page, 'Day 500', (dialog) => dialog.getByLabel('Caption').fill('The very first'));
    await expect(memory(page, 'The very first')).toBeVisible();
    expect(withoutFaces(calls), 'neither a like nor an edit fetches the pages').toEqual(['PATCH', 'PATCH']);

    await page.goto(`/gallery?pet=${biscuit}`);
    await expect(memories(page).getByRole('status').first()).toHaveText('500 memories found');
    calls.length = 0;
    await edit(page, 'Day 2', (dialog) => dialog.getByLabel('Pet').selectOption('No pet'));
    await expect(memories(page).getByRole('status').first()).toHaveText('499 memories found');
    await expect(memory(page, 'Day 2')).toBeHidden();
    await expect(memory(page, 'Day 3')).toBeVisible();
    expect(withoutFaces(calls), 'only the visible page and the count are refetched').toEqual([
      'PATCH',
      `GET /api/memories?limit=100&petId=${biscuit}`,
      `GET /api/memories/stats?petId=${biscuit}`,
    ]);
  });
});

/** The dialog asks for the face of a pet without a picture. */
function withoutFaces(calls: string[]): string[] {
  return calls.filter((call) => call !== 'GET /api/memories/pet-counts');
}

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

/** Records requests for memories; changes by their method alone. */
function recordRequests(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    // The open memory's share is always requested.
    if (!pathname.startsWith('/api/memories') || pathname.endsWith('/share')) return;
    // The event of each change refetches that memory.
    if (search.startsWith('?ids=')) return;
    calls.push(request.method() === 'GET' ? `GET ${pathname}${search}` : request.method());
  });
  return calls;
}

/** The number in the caption of the last mounted tile. */
async function lastMountedDay(page: Page): Promise<number> {
  const text = await page
    .locator('[role=listitem]')
    .last()
    .innerText()
    .catch(() => '');
  return Number(/Day (\d+)/.exec(text)?.[1] ?? 0);
}

for (const name of ['Grid', 'List'] as const) {
  test(`going back to the ${name.toLowerCase()} restores the scroll position`, async ({ page, server }) => {
    addDays(server, 350, { shapes });
    await page.goto(name === 'List' ? '/gallery?view=list' : '/gallery');
    await expect
      .poll(
        async () => {
          await page.evaluate(() => window.scrollBy(0, 4000));
          return lastMountedDay(page);
        },
        { intervals: [20], timeout: 30_000 },
      )
      .toBeGreaterThanOrEqual(250);
    const before = await savedPosition(page);

    await goToPets(page);
    await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expectPosition(page, before);
    await page.reload();
    await expectPosition(page, before);

    await search(page).fill('zebra');
    await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(memory(page, 'Day 1')).toBeInViewport();
  });
}

interface TilePosition {
  caption: string;
  top: number;
}

/** The first visible memory below the bar, once scrolling has ended and its position is saved. */
async function savedPosition(page: Page): Promise<TilePosition> {
  await expect.poll(() => page.evaluate(isPositionSaved)).toBe(true);
  return (await firstVisible(page))!;
}

/** In the page: the history entry has the row below the bar, and how far above the viewport it starts. */
function isPositionSaved(): boolean {
  const { scrollPosition } = (history.state ?? {}) as { scrollPosition?: { index: number; past: number } };
  if (!scrollPosition || document.querySelector('[data-scrolling]')) return false;
  const row = document
    .querySelector(`[aria-posinset="${scrollPosition.index + 1}"]`)
    ?.closest('[data-index]');
  return (
    row !== null && row !== undefined && Math.abs(row.getBoundingClientRect().top + scrollPosition.past) < 1
  );
}

async function expectPosition(page: Page, { caption, top }: TilePosition): Promise<void> {
  await expect
    .poll(async () => {
      const now = await firstVisible(page);
      return now?.caption === caption && Math.abs(now.top - top) <= 2 ? 'there' : now;
    })
    .toBe('there');
}

function firstVisible(page: Page): Promise<TilePosition | null> {
  return page.locator('[role=listitem]').evaluateAll((tiles) => {
    const visible = tiles
      .map((tile) => ({
        caption: /Day \d+/.exec((tile as HTMLElement).innerText)?.[0] ?? '',
        top: tile.getBoundingClientRect().top,
      }))
      .filter(({ top }) => top >= 80);
    return visible[0] ?? null;
  });
}

/** By keyboard, since Playwright's click would first scroll up to the link. */
async function goToPets(page: Page): Promise<void> {
  await page.locator('a[href="/pets"]').dispatchEvent('click');
}
