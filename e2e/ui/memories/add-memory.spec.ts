import { toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { datedPhoto, heicPhoto } from '../../support/photo-files.ts';
import { finishUpload, smallPhoto, transferPhotos, uploaderDialog } from '../../support/screens/photos.ts';
import { addDays, addPet } from '../albums.ts';
import { desktop, expect, letTimePass, phone, test } from '../fixtures.ts';

for (const [device, options] of Object.entries({ phone, desktop })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);

    test('a photo that is dropped on a page fills the form, which uploads it', async ({ page, server }) => {
      await letTimePass(page);
      const { id: petId } = addPet(server, { name: 'Rex' });
      const requests: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/complete-upload')) requests.push(request.postDataJSON());
      });
      await page.goto('/timeline');
      await expect(page.getByRole('button', { name: 'Add Mems' })).toBeInViewport();
      await transferPhotos(page.locator('body'), 'drop', [await datedPhoto('2019:07:04 09:05:00')]);
      const form = page.getByRole('dialog', { name: 'Add New Mems' });
      await expect(form.getByLabel('Memory Date')).toHaveValue('2019-07-04');
      await expect(form.getByLabel('Time', { exact: true })).toHaveValue('09:05');
      await expect(form.getByLabel('Pet', { exact: true })).toHaveValue(petId);
      await expect(form.getByRole('button', { name: 'Replace photo' }).locator('img')).toBeVisible();
      await expectNoViolations(page);
      await form.getByLabel('Caption').fill('At the lake');

      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api/objects/upload', async (route) => {
        await held;
        await route.continue();
      });
      await form.getByRole('button', { name: 'Upload Memory' }).click();
      await expect(page.getByRole('dialog', { name: 'Uploading your photo' })).toBeVisible();
      await uploaderDialog(page).getByRole('button', { name: 'Cancel' }).click();
      await expect(form.getByLabel('Caption')).toHaveValue('At the lake');
      await form.getByRole('button', { name: 'Upload Memory' }).click();
      release();
      await finishUpload(page);
      // Without a date of the person: the server is told what the photo says.
      expect(requests).toMatchObject([
        { caption: 'At the lake', petId, memoryDate: '', exifDate: '2019-07-04T09:05' },
      ]);
      await expect(page.getByRole('button', { name: 'Open At the lake' })).toBeVisible();

      await page.getByRole('button', { name: 'Add Mems' }).click();
      await expect(form.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
      await expect(form.getByLabel('Memory Date')).toHaveValue('');
      await expect(form.getByLabel('Pet', { exact: true })).toHaveValue(petId);
    });
  });
}

test("a photo that is pasted on a pet's page is of that pet, and several go to the page for many", async ({
  page,
  server,
}) => {
  addPet(server, { name: 'Rex' });
  const { id: milo } = addPet(server, { name: 'Milo' });
  await page.goto(`/gallery?pet=${milo}`);
  await expect(page.getByRole('button', { name: 'Add Mems' })).toBeVisible();
  const first = { ...(await smallPhoto()), name: 'IMG_20240131_083059.jpg' };
  await transferPhotos(page.locator('body'), 'paste', [first]);
  const form = page.getByRole('dialog', { name: 'Add New Mems' });
  await expect(form.getByLabel('Pet', { exact: true })).toHaveValue(milo);
  await expect(form.getByLabel('Memory Date')).toHaveValue('2024-01-31');

  await form.getByLabel('Memory Date').fill('2020-02-02');
  await transferPhotos(form, 'drop', [await datedPhoto('2019:07:04 09:05:00'), first]);
  await expect(form.getByRole('status')).toHaveText('One photo at a time. We used the first one.');
  await expect(form.getByLabel('Memory Date'), 'the date that was entered').toHaveValue('2020-02-02');
  await transferPhotos(form, 'drop', [{ ...first, name: 'story.txt', mimeType: 'text/plain' }]);
  await expect(form.getByRole('status')).toHaveText('Please choose a photo');
  await transferPhotos(form, 'drop', [await heicPhoto()]);
  await expect(form.getByRole('button', { name: 'Replace photo' }).locator('img')).toBeVisible();
  await form.getByRole('button', { name: 'Remove' }).click();
  await expect(form.getByRole('button', { name: 'Choose a photo' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);

  await transferPhotos(page.locator('body'), 'drop', [first, await smallPhoto()]);
  await expect(page).toHaveURL('/add-many');
  await expect(page.getByRole('heading', { name: '2 of 2 are in' })).toBeVisible();
  await expect(toast(page)).toHaveCount(0);
});

test('after a reload the form asks for its photo again, and its cleared date stays empty', async ({
  page,
  server,
}) => {
  await letTimePass(page);
  const form = page.getByRole('dialog', { name: 'Add New Mems' });
  const photo = await datedPhoto('2019:07:04 09:05:00');
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await transferPhotos(form, 'drop', [photo]);
  await expect(form.getByLabel('Memory Date')).toHaveValue('2019-07-04');
  await form.getByLabel('Caption').fill('At the lake');
  await form.getByLabel('Memory Date').fill('');
  const stored = () => page.evaluate(() => JSON.stringify(Object.values(localStorage)));
  await expect.poll(stored).toMatch(/isUndated\W+true/);
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(form.getByText('Your text is back. Please choose the photo again.')).toBeVisible();
  await expectNoViolations(page);
  await transferPhotos(form, 'drop', [photo]);
  await expect(form.getByText('Your text is still here.')).toBeVisible();
  await form.getByRole('button', { name: 'Upload Memory' }).click();
  await finishUpload(page);
  expect(server.state.album.memories).toMatchObject([{ caption: 'At the lake', memoryDate: null }]);
});

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
