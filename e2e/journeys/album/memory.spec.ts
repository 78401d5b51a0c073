import { expect, test } from '../../support/fixtures.ts';
import { recordPatches } from '../../support/apps/network.ts';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import { createMemory, smallPhoto } from '../../support/screens/photos.ts';

test.beforeEach(async ({ page }) => {
  await signInAsNewUser(page);
  await createMemory(page, await smallPhoto(), 'At the lake', {
    tags: 'summer, beach',
    memoryDate: '2024-03-01T17:30',
  });
  await page.goto('/');
});

test(
  'a memory opens in a dialog with its details, and is loved',
  { tag: ['@phone', '@quick'] },
  async ({ page }) => {
    const open = page.getByRole('button', { name: 'Open At the lake' });
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'At the lake' });
    await expect(dialog.getByRole('img', { name: 'At the lake' })).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'The Story' })).toBeVisible();
    await expect(dialog.getByText('summer • beach')).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'When' })).toBeVisible();
    await expect(dialog.getByText('March 1, 2024 at 5:30 PM')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog).toBeHidden();
    await expect(open).toBeFocused();

    const changes = recordPatches(page);
    const like = page.getByRole('button', { name: 'Love At the lake' });
    const box = await like.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await open.click();
    await dialog.getByRole('button', { name: 'Loved' }).click();
    await expect(dialog.getByRole('button', { name: 'Love', exact: true })).toBeVisible();
    // In sequence.
    await expect.poll(() => changes).toEqual([{ isLiked: true }, { isLiked: false }]);
  },
);
