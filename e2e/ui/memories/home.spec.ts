import { BACK_COOKIE } from '#shared/accounts/user';
import { addMemories, addMemory } from '../albums.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, phone, test } from '../fixtures.ts';

for (const [device, options] of Object.entries({ phone, desktop: {} })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);

    test('home opens with a photo of this day, and another in place of one that is not wanted', async ({
      page,
      server,
    }) => {
      addMemories(server, ['Snow', 'Sea']);
      addMemory(server, 'Old sofa', { memoryDate: '2024-05-15', createdAt: '2026-05-01T10:00:00.000Z' });
      await page.goto('/');
      const featured = page.getByRole('region', { name: 'On this day, 2 years ago' });
      await expect(featured).toContainText('Old sofa');
      await expectNoViolations(page);
      const photo = featured.getByRole('button', { name: 'See Old sofa' });
      const [{ y, height }, { height: screen }] = [(await photo.boundingBox())!, page.viewportSize()!];
      expect(y + height, 'all of the photo is on the first screen').toBeLessThan(screen);
      await photo.click();
      await expect(page.getByRole('dialog', { name: 'Old sofa' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(photo).toBeFocused();
      await featured.getByRole('button', { name: 'Love' }).click();
      await expect(featured.getByRole('button', { name: 'Loved' })).toBeVisible();

      const collection = page.getByRole('heading', { name: 'Your Memory Collection' });
      const top = (await collection.boundingBox())?.y;
      await featured.getByRole('button', { name: 'Not this one' }).click();
      const recent = page.getByRole('region', { name: 'Recently added' });
      await expect(recent).toContainText('Sea');
      expect((await collection.boundingBox())?.y, 'nothing has moved').toBe(top);
      await recent.getByRole('button', { name: 'Not this one' }).click();
      await expect(recent).toContainText('Snow');
      await page.reload();
      await expect(recent).toContainText('Snow');
    });

    test('the photo of the day is deleted from its dialog, and the next one takes its place', async ({
      page,
      server,
    }) => {
      addMemories(server, ['Snow', 'Sea']);
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.goto('/');
      const recent = page.getByRole('region', { name: 'Recently added' });
      await recent.getByRole('button', { name: 'See Sea' }).click();
      const collection = page.getByRole('heading', { name: 'Your Memory Collection', includeHidden: true });
      // Whatever the focus scrolls to.
      const topInPage = () => collection.evaluate((element) => element.getBoundingClientRect().top + scrollY);
      const top = await topInPage();
      await page.route('**/api/memories/featured', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole('dialog', { name: 'Sea' }).getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('dialog', { name: 'Sea' })).toHaveCount(0);
      await expect(recent).toHaveCount(0);
      expect(await topInPage(), 'nothing has moved').toBe(top);
      release();
      await expect(recent).toContainText('Snow');
      expect(await topInPage(), 'nothing has moved').toBe(top);
      await expect(recent.getByRole('button', { name: 'See Snow' })).toBeFocused();
    });
  });
}

test('on a low phone, notices leave the large photo in view', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  Object.assign(server.state.user, { emailVerified: false, verifyEmailBy: '2026-05-20T10:00:00.000Z' });
  addMemories(server, ['Sea']);
  await page.context().addCookies([{ name: BACK_COOKIE, value: '', url: server.state.origin }]);
  await page.goto('/');
  const photo = page.getByRole('region', { name: 'Recently added' }).getByRole('button', { name: /^See / });
  await expect(photo).toBeVisible();
  const notices = [
    page.getByRole('status').filter({ hasText: 'Welcome back.' }),
    page.getByRole('complementary', { name: 'Please confirm your email address' }),
  ];
  for (const notice of notices) expect((await notice.boundingBox())?.height).toBe(44);
  const bar = await page.getByRole('button', { name: 'Add Mems' }).boundingBox();
  expect((await photo.boundingBox())!.y, 'above the bar').toBeLessThan(bar!.y - 100);
  await expectNoViolations(page);
  await notices[1]!.getByRole('link', { name: 'Confirm your email by May 20' }).click();
  await expect(notices[1]!).toContainText('this album will be deleted on May 20, 2026');
});
