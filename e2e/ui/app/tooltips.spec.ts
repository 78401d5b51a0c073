import { desktop, expect, phone, test } from '../fixtures.ts';
import { addPet } from '../albums.ts';

const biscuit = { name: 'Biscuit', species: 'dog' } as const;

for (const [device, options] of Object.entries({ phone, desktop })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);

    test('a tooltip appears on hover and keyboard focus, but not when a dialog returns the focus', async ({
      page,
      server,
      isMobile,
    }) => {
      addPet(server, biscuit);
      await page.goto('/pets');
      const edit = page.getByRole('button', { name: 'Edit Biscuit' });
      await edit.click();
      await page.getByRole('button', { name: 'Close' }).click();
      await expect(edit).toBeFocused();
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await page.keyboard.press('Tab');
      await expect(page.getByRole('tooltip', { name: 'Delete' })).toBeAttached();
      if (isMobile) return;
      await page.keyboard.press('Escape');
      await edit.hover();
      await expect(page.getByRole('tooltip', { name: 'Edit' })).toBeAttached();
    });
  });
}

test('Escape closes a dialog immediately after it opens', async ({ page, server }) => {
  addPet(server, biscuit);
  await page.goto('/pets');
  for (const name of ['Edit Biscuit', 'Delete Biscuit']) {
    for (const hasTooltip of [true, false]) {
      const button = page.getByRole('button', { name });
      await button.focus();
      await expect(page.getByRole('tooltip')).toHaveCount(1);
      if (!hasTooltip) await page.keyboard.press('Escape');
      await expect(page.getByRole('tooltip')).toHaveCount(hasTooltip ? 1 : 0);
      const hasCome = await button.evaluate(async (element: HTMLElement) => {
        element.click();
        await Promise.resolve();
        const hasDialog = document.querySelector('[role$="dialog"]') !== null;
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
        );
        return hasDialog;
      });
      expect(hasCome, name).toBe(true);
      await expect(page.locator('[role$="dialog"]'), name).toHaveCount(0);
    }
  }
});
