import { expect, test } from './fixtures.ts';
import { registerUser } from './users.ts';
import { finishUpload, smallPhoto, choosePhoto } from './photos.ts';

for (const timezoneId of ['America/Los_Angeles', 'Pacific/Auckland']) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test('2026-03-01 is March 1, with its time and after a reload', { tag: '@once' }, async ({ page }) => {
      await registerUser(page);
      await page.goto('/');
      await page.getByRole('button', { name: 'Add Mems' }).click();
      await page.getByLabel('Time', { exact: true }).fill('23:30');
      await page.getByRole('button', { name: 'Upload Memory' }).click();
      await expect(page.getByText(/Please enter a date as well/)).toBeVisible();
      await expect(page.getByLabel('Memory Date')).toBeFocused();
      await page.getByLabel('Memory Date').fill('2026-03-01');
      await page.getByRole('button', { name: 'Upload Memory' }).click();
      await choosePhoto(page, await smallPhoto());
      const sent = page.waitForRequest('**/complete-upload');
      await page.getByRole('button', { name: 'Upload photo' }).click();
      expect((await sent).postDataJSON()).toMatchObject({ memoryDate: '2026-03-01T23:30' });
      await finishUpload(page);
      await page.reload();
      await page.getByRole('button', { name: 'Open Photo of March 1, 2026' }).click();
      await expect(page.getByRole('dialog').getByText('March 1, 2026 at 11:30 PM')).toBeVisible();
    });
  });
}
