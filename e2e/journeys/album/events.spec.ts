import type { Locator, Page } from '@playwright/test';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import { follow } from '../../support/apps/network.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addMemories } from '../../support/screens/gallery.ts';
import { deleteCard } from '../../support/screens/memory-cards.ts';
import { createPet } from '../../support/screens/pets.ts';
import { createMemory, smallPhoto } from '../../support/screens/photos.ts';

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

test('memories and pets changed elsewhere are updated in every open page', async ({ page, context }) => {
  await signInAsNewUser(page);
  await addMemories(page, ['Snow', 'Lake']);
  const gallery = await follow(page, '/gallery');
  const home = await follow(await context.newPage(), '/');
  const timeline = await follow(await context.newPage(), '/timeline');
  await expect(entries(gallery)).toHaveCount(2);
  await expect(home.getByText('2 memories captured')).toBeVisible();
  await expect(entries(timeline)).toHaveCount(2);

  const pets = await follow(await context.newPage(), '/pets');
  await expect(pets.getByRole('heading', { name: 'No pets yet' })).toBeVisible();

  await createPet(page, { name: 'Biscuit', species: 'dog' });
  await expect(pets.getByRole('article', { name: 'Biscuit' })).toBeVisible();
  const reads = watchReads(gallery);
  await createMemory(page, await smallPhoto(), 'From the park');
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
  // Only the new memory's page of the list was fetched, beside the counts; likes and deletions are applied without it.
  const lists = reads.filter((read) => !/ids=|\/stats/.test(read));
  expect(lists).toEqual(['/api/memories?limit=100']);
});
