import { addDays } from './albums.ts';
import { expect, test } from './fixtures.ts';

test('cancelling the uploader returns to the form and its values', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('The lake');
  await page.getByLabel('Time', { exact: true }).fill('17:30');
  await page.getByLabel('Memory Date').fill('2026-03-01');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  const form = page.getByRole('dialog', { name: 'Add New Mems' });
  await expect(form).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Choose the photo' })).toHaveCount(0);
  await expect(form.getByLabel('Caption')).toBeFocused();
  await expect(form.getByLabel('Caption')).toHaveValue('The lake');
  await expect(form.getByLabel('Memory Date')).toHaveValue('2026-03-01');
  await expect(form.getByLabel('Time', { exact: true })).toHaveValue('17:30');
  await page.keyboard.press('Shift+Tab');
  await expect(form.locator(':focus')).toBeVisible();
});

test('a long collection loads pages while scrolling', async ({ page, server }) => {
  addDays(server, 103);
  await page.goto('/');
  await expect(page.getByText('103 memories captured')).toBeVisible();
  const timeline = page.getByRole('region', { name: 'Your Mems Timeline' });
  await expect(timeline.getByRole('img')).toHaveCount(6);
  const collection = page.getByRole('group', { name: 'Your Memory Collection' });
  expect((await collection.boundingBox())?.height).toBeLessThanOrEqual(600);
  await expect(collection.getByText('Day 1', { exact: true })).toBeVisible();
  await expect(async () => {
    await collection.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(collection.getByText('Day 103', { exact: true })).toBeAttached({ timeout: 250 });
  }).toPass();
  await expect(collection.getByText('Loading more...')).toBeHidden();
  await expect(collection.getByRole('listitem').last()).toHaveAttribute('aria-posinset', '103');
  // Virtual list: distant rows are not in the page.
  expect(await collection.getByRole('listitem').count()).toBeLessThan(60);
});

test('a collection of mixed shapes keeps its scroll position', async ({ page, server }) => {
  addDays(server, 45, {
    shapes: [
      [640, 480],
      [480, 640],
      [500, 500],
    ],
  });
  await page.goto('/');
  await expect(page.getByText('45 memories captured')).toBeVisible();
  const collection = page.getByRole('group', { name: 'Your Memory Collection' });
  await expect(collection.getByRole('img').first()).toBeVisible();
  expect(await collection.evaluate(unexpectedScrollOffsets)).toEqual([]);
});

/** Scrolls in short steps. Loaded rows and photos move nothing. */
async function unexpectedScrollOffsets(scroller: Element): Promise<number[]> {
  const STEP_PX = 170;
  const moved: number[] = [];
  for (let step = 1; step <= 20; step += 1) {
    const scrolled = new Promise((resolve) => scroller.addEventListener('scroll', resolve, { once: true }));
    scroller.scrollBy(0, STEP_PX);
    await scrolled;
    const { top, bottom } = scroller.getBoundingClientRect();
    const inView = [...scroller.querySelectorAll('img')].filter((image) => {
      const box = image.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    await Promise.all(inView.map((image) => image.decode()));
    if (scroller.scrollTop !== step * STEP_PX) moved.push(scroller.scrollTop);
  }
  return moved;
}
