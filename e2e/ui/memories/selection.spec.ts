import type { Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expectShown, memories, memory, search } from '../../support/screens/gallery.ts';
import { addMemories, addPet } from '../albums.ts';
import { desktop, expect, phone, test } from '../fixtures.ts';

const CAPTIONS = ['Third', 'Second', 'First'];

const selection = (page: Page) => page.getByRole('region', { name: 'Selection' });
const photo = (page: Page, caption: string) => memory(page, caption).getByRole('button').first();
const action = (page: Page, name: string) => selection(page).getByRole('button', { name, exact: true });

test.beforeEach(async ({ page, server }) => {
  addMemories(server, CAPTIONS.toReversed());
  await page.goto('/gallery');
  await expectShown(page, CAPTIONS);
});

test('several memories get a pet at once, and Undo restores each', async ({ page, server }) => {
  const { id: rex } = addPet(server);
  await page.reload();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(selection(page)).toContainText('0 selected');
  await photo(page, 'Third').click();
  await photo(page, 'First').click({ modifiers: ['Shift'] });
  await expect(selection(page)).toContainText('3 selected');
  await photo(page, 'Second').click();
  await expect(photo(page, 'Second')).toHaveAttribute('aria-pressed', 'false');
  await expectNoViolations(page);
  await action(page, 'Pet').click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Pet' }).selectOption(rex);
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Set pet' }).click();
  await expect(toast(page)).toContainText('2 memories updated');
  await expect(selection(page)).toBeHidden();
  expect(server.state.album.memories.map(({ petId }) => petId)).toEqual([rex, null, rex]);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('Change undone');
  expect(server.state.album.memories.map(({ petId }) => petId)).toEqual([null, null, null]);
});

test('with the keyboard alone, memories are tagged and dated', async ({ page, server }) => {
  await photo(page, 'Third').focus();
  await page.keyboard.press('x');
  await expect(selection(page)).toContainText('1 selected');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(selection(page)).toContainText('2 selected');
  await expect(photo(page, 'Second')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(selection(page)).toBeHidden();
  await expect(photo(page, 'Second')).toBeFocused();

  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowLeft');
  await action(page, 'Tags').press('Enter');
  await page.getByRole('button', { name: 'Add tags' }).press('Enter');
  await expect(page.getByText('Please enter a tag')).toBeVisible();
  await page.getByRole('textbox', { name: 'Tags' }).fill('snow, cold');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('2 memories updated');
  await photo(page, 'Third').focus();
  await page.keyboard.press('x');
  await action(page, 'Date').press('Enter');
  await page.getByLabel('Memory Date').fill('2020-02-29');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('1 memory updated');
  expect(server.state.album.memories).toMatchObject([
    { tags: ['snow', 'cold'], memoryDate: '2020-02-29', dateSource: 'person' },
    { tags: ['snow', 'cold'], memoryDate: null },
    { tags: [] },
  ]);
});

for (const [device, options] of Object.entries({ phone, desktop })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);
    test('a long press begins, and many are deleted and brought back', async ({ page, server }) => {
      const touch = { pointerType: 'touch', isPrimary: true, button: 0, bubbles: true };
      await photo(page, 'Third').dispatchEvent('pointerdown', touch);
      await expect(photo(page, 'Third')).toHaveAttribute('aria-pressed', 'true');
      // In one task of the page: a later click would be one of its own.
      await photo(page, 'Third').evaluate((button, touch) => {
        button.dispatchEvent(new PointerEvent('pointerup', touch));
        button.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true, cancelable: true }));
      }, touch);
      await expect(photo(page, 'Third')).toHaveAttribute('aria-pressed', 'true');
      await photo(page, 'First').click();
      await action(page, 'Delete').click();
      await expectShown(page, ['Second']);
      await expect(toast(page)).toContainText('2 memories deleted');
      await toast(page).getByRole('button', { name: 'Undo' }).click();
      await expectShown(page, CAPTIONS);
      await expect(toast(page)).toContainText('2 memories restored');
      expect(server.state.album.memories.map(({ caption }) => caption)).toEqual(CAPTIONS);
    });

    test('deleting all focuses the button of the empty gallery', async ({ page }) => {
      await photo(page, 'Third').focus();
      await page.keyboard.press('x');
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Shift+ArrowRight');
      await expect(selection(page)).toContainText('3 selected');
      await action(page, 'Delete').click();
      await expect(page.getByRole('button', { name: 'Add your first photo' })).toBeFocused();
    });
  });
}

test('what leaves the list is no longer selected', async ({ page, server, fakeApp }) => {
  await photo(page, 'Third').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(selection(page)).toContainText('2 selected');
  const [third] = server.state.album.memories;
  server.state.album.delete(third!.id);
  await fakeApp.untilListening();
  fakeApp.emit('change', { kind: 'memory', ids: [third!.id] });
  await expect(selection(page)).toContainText('1 selected');
  await action(page, 'Delete').click();
  await expectShown(page, ['First']);
  await photo(page, 'First').focus();
  await page.keyboard.press('x');
  await search(page).fill('First');
  await expect(selection(page)).toBeHidden();
});

test('a change that fails changes nothing, and says so', async ({ page }) => {
  await page.route('**/api/memories/deleted', (route) =>
    route.fulfill({ status: 503, json: { message: 'No' } }),
  );
  await photo(page, 'Third').focus();
  await page.keyboard.press('x');
  await action(page, 'Delete').click();
  await expect(toast(page)).toContainText('Failed to delete memories');
  await expectShown(page, CAPTIONS);
  await expect(memories(page).getByRole('listitem')).toHaveCount(3);
});
