import { addMemories, addMemory, addPet } from '../albums.ts';
import { expect, phone, test } from '../fixtures.ts';
import { expectShown, holdLists, memories, memory, petFilter, view } from '../../support/screens/gallery.ts';
import { cardEdit, cardMenu, editCard } from '../../support/screens/memory-cards.ts';
import { recordPatches } from '../../support/apps/network.ts';
import { choosePhoto, smallPhoto } from '../../support/screens/photos.ts';
import { toast } from '../../support/accounts/users.ts';

test.describe('on a phone', () => {
  test.use(phone);
  test('a memory can be loved and edited in the list', async ({ page, server }) => {
    addMemories(server, ['Snow', '']);
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
    await expect(cardMenu(page, 'Deep snow')).toBeFocused();
    expect(changes).toEqual([{ isLiked: true }, { caption: 'Deep snow' }]);
  });

  test('two memories are side by side', async ({ page, server }) => {
    addMemories(server, ['Snow', 'Lake']);
    await page.goto('/gallery');
    await expectShown(page, ['Lake', 'Snow']);
    const tiles = memories(page).getByRole('listitem');
    const [lake, snow] = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect()));
    expect(snow!.y).toBe(lake!.y);
    expect(snow!.left).toBeGreaterThanOrEqual(lake!.right);
  });

  test('three rows of controls are above the photos, and a button shows the filters', async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    const rex = addPet(server, { name: 'Rex' });
    addMemories(server, ['Snow', 'Lake'], { petId: rex.id });
    const release = await holdLists(page);
    await page.goto('/gallery');
    const addMany = page.getByRole('link', { name: 'Add many' });
    const before = await addMany.boundingBox();
    release();
    await expectShown(page, ['Lake', 'Snow']);
    expect(await addMany.boundingBox()).toEqual(before);
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 664 });
      const rows = await page.locator('main').evaluate((main) => {
        const tops = [...main.querySelectorAll('a, button, input, select')]
          .filter((control) => control.checkVisibility() && !control.closest('[role=list], .fixed'))
          .map((control) => control.getBoundingClientRect())
          .map(({ top, height }) => Math.round(top + height / 2));
        return new Set(tops).size;
      });
      expect(rows, `at ${width} px`).toBe(3);
    }
    const { y = Infinity } = (await page.getByRole('button', { name: 'Open Lake' }).boundingBox()) ?? {};
    expect(y).toBeLessThan(400);
    const filter = page.getByRole('button', { name: /^Filter/ });
    await filter.click();
    await petFilter(page).selectOption('Rex (Dog)');
    await page.getByRole('button', { name: 'Loved', exact: true }).click();
    await view(page, 'List').check();
    await filter.click();
    await expect(petFilter(page)).toBeHidden();
    await expect(filter).toHaveAccessibleName('Filters (2 on)');
    await expect(page.getByText('No memories found')).toBeVisible();
  });

  test('the filters scroll away, and a button brings them back', async ({ page, server }) => {
    addPet(server);
    addMemories(
      server,
      Array.from({ length: 30 }, (_, index) => `Memory ${index}`),
    );
    await page.goto('/gallery');
    const filter = page.getByRole('button', { name: /^Filter/ });
    await filter.click();
    await expect(petFilter(page)).toBeInViewport();
    await page.getByRole('button', { name: 'Open Memory 20' }).focus();
    await expect(petFilter(page)).not.toBeInViewport();
    await expect(filter).toBeInViewport();
    await filter.click();
    await expect(petFilter(page)).toBeInViewport();
    await filter.click();
    await expect(petFilter(page)).toBeHidden();
  });

  test('a filter of the address is shown, and can be cleared', async ({ page, server }) => {
    const rex = addPet(server, { name: 'Rex' });
    addMemory(server, 'Snow', { petId: rex.id });
    addMemory(server, 'Lake', { isLiked: true });
    await page.goto(`/gallery?pet=${rex.id}`);
    await expect(petFilter(page)).toHaveValue(rex.id);
    await petFilter(page).selectOption('All pets');
    await expectShown(page, ['Lake', 'Snow']);
    await page.goto('/gallery?loved=true');
    await expect(page.getByRole('button', { name: 'Loved', exact: true })).toBeVisible();
  });
});

test('only the card under the mouse, or with the focus, shows its buttons', async ({ page, server }) => {
  addMemories(server, ['Snow', 'Lake']);
  await page.goto('/gallery');
  const edit = cardEdit(page, 'Snow');
  await page.getByRole('heading', { name: 'Mems Gallery' }).hover();
  await expect(edit).toHaveCSS('opacity', '0');
  await page.getByRole('button', { name: 'Open Snow' }).hover();
  await expect(edit).toHaveCSS('opacity', '1');
  await expect(cardEdit(page, 'Lake')).toHaveCSS('opacity', '0');
  await page.mouse.move(0, 0);
  await expect(edit).toHaveCSS('opacity', '0');
  await page.getByRole('button', { name: 'Open Snow' }).focus();
  await page.keyboard.press('Tab');
  await expect(edit).toHaveCSS('opacity', '1');
});

test('closing while the first memory is created moves the focus to the heading', async ({ page }) => {
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

test('twelve placeholders are shown while the first page loads', async ({ page, server }) => {
  addMemories(server, ['Snow']);
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

test('hearts, pets and tags lead to their memories, which make a named book', async ({ page, server }) => {
  const rex = addPet(server, { name: 'Rex' });
  addMemories(server, ['Snow', 'Sea']);
  addMemory(server, 'Beach of Rex', { petId: rex.id, tags: ['at the sea'], isLiked: true });
  await page.goto('/pets');
  await page.getByRole('link', { name: '1 memory', exact: true }).click();
  await expect(page).toHaveURL(`/gallery?pet=${rex.id}`);
  await expectShown(page, ['Beach of Rex']);
  await page.getByRole('button', { name: 'Open Beach of Rex' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'at the sea' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/gallery?q=at+the+sea');
  await expect(page.getByRole('searchbox')).toHaveValue('at the sea');
  await expectShown(page, ['Beach of Rex']);

  await page.goto('/gallery');
  const loved = page.getByRole('button', { name: 'Loved', exact: true });
  await loved.click();
  await expect(loved).toHaveAttribute('aria-pressed', 'true');
  await expectShown(page, ['Beach of Rex']);
  await expect(page.getByText('1 memory found')).toBeVisible();
  await page.getByRole('button', { name: 'Create Flipbook' }).click();
  const picker = page.getByRole('dialog', { name: 'Create Memory Flipbook' });
  await picker.getByLabel('Title').fill('Rex by the sea');
  await picker.getByRole('button', { name: 'Select All (1)' }).click();
  await picker.getByRole('button', { name: 'Create Flipbook with 1 memory' }).click();
  await expect(page.getByRole('group', { name: 'Rex by the sea' })).toBeVisible();
  await expect(page).toHaveTitle(/Rex by the sea/);
  await page.goBack();
  await page.getByRole('button', { name: 'Love Beach of Rex' }).click();
  await expect(page.getByText('No loved memories yet')).toBeVisible();
});

test('memories are ordered by the date taken, and their month sticks while scrolling', async ({
  page,
  server,
}) => {
  addMemory(server, 'Added last', { memoryDate: '2019-05-31' });
  addMemory(server, 'Taken last', { memoryDate: '2026-05-01', createdAt: '2026-05-02T10:00:00.000Z' });
  for (let day = 10; day < 40; day++)
    addMemory(server, null, {
      memoryDate: `2018-12-${(day % 20) + 10}`,
      createdAt: '2026-04-02T10:00:00.000Z',
    });
  await page.goto('/gallery');
  const tiles = page.getByRole('region', { name: 'Memories' }).getByRole('listitem');
  await expect(tiles.first()).toContainText('Added last');
  await expect(tiles.first()).toContainText('May 31, 2019 · Just now');
  await page.getByRole('combobox', { name: 'Order by date' }).selectOption('By date taken');
  await expect(page).toHaveURL('/gallery?order=taken');
  await expect(tiles.first()).toContainText('Taken last');
  await expect(tiles.nth(1)).toContainText('Added last');
  await page.mouse.wheel(0, 2000);
  await expect(page.getByText('December 2018', { exact: true })).toBeInViewport();
});
