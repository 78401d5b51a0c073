import type { Page } from '@playwright/test';
import { signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { now } from '../../support/clock.ts';
import { expect, test } from '../../support/fixtures.ts';
import { book, counter, openPicker, picker } from '../../support/flipbooks.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

/** Their dates are not in the order of adding. */
async function addThree(page: Page): Promise<void> {
  const details = { createdAt: now().toISOString(), tags: ['river', 'sun'] };
  await addPastMemories(
    page,
    [await smallPhoto(300, 200)],
    [
      { ...details, caption: 'Second', memoryDate: '2024-05-02' },
      { ...details, caption: 'Third', memoryDate: '2024-05-03' },
      { ...details, caption: 'First', memoryDate: '2024-05-01' },
    ],
  );
}

test(
  'memories become a book, which survives reload, back and the list view, and a PDF',
  { tag: '@quick' },
  async ({ page }) => {
    await signInAsNewUser(page);
    await addThree(page);
    await openPicker(page);
    const dialog = picker(page);
    const tile = (caption: string) => dialog.getByRole('option', { name: caption });
    await expect(dialog.getByText('0 selected')).toBeVisible();
    await dialog.getByRole('button', { name: 'Select memories to create flipbook' }).click();
    await expect(toast(page)).toContainText(
      'No memories selectedPlease select at least one memory to create a flipbook.',
    );
    await expect(dialog).toBeVisible();
    // It covers the tiles, and stays while the mouse waits on it.
    await toast(page).getByRole('button', { name: 'Dismiss' }).click();

    await tile('Second').click();
    await expect(tile('Second')).toHaveAttribute('aria-selected', 'true');
    await expect(dialog.getByText('1 selected')).toBeVisible();
    await expect(
      dialog.getByRole('button', { name: 'Create Flipbook with 1 memory', exact: true }),
    ).toBeVisible();
    // The most recently taken is first, so the third is before the second.
    await page.keyboard.press('ArrowLeft');
    await expect(tile('Third')).toBeFocused();
    await page.keyboard.press(' ');
    await expect(dialog.getByRole('button', { name: 'Create Flipbook with 2 memories' })).toBeVisible();
    await expectNoViolations(page);
    await tile('Second').click();
    await expect(dialog.getByText('1 selected')).toBeVisible();
    await dialog.getByRole('button', { name: 'Clear Selection' }).click();
    await expect(dialog.getByText('0 selected')).toBeVisible();
    await dialog.getByRole('button', { name: 'Select All (3)' }).click();
    await dialog.getByRole('button', { name: 'Create Flipbook with 3 memories' }).click();

    await expect(page).toHaveURL(/\/flipbook\/\w+/);
    await expect(toast(page)).toContainText('Flipbook created!3 memories are in your book.');
    await expect(book(page).getByText('3 Beautiful Memories')).toBeVisible();

    await page.getByRole('slider', { name: 'Page' }).fill('5');
    await expect(page).toHaveURL(/page=5/);
    await page.reload();
    await expect(book(page).getByText('Memory 2 of 3')).toBeVisible();

    await page.getByRole('button', { name: 'View as list' }).click();
    await expect(page.getByRole('heading', { name: 'Memory Flipbook' })).toBeAttached();
    await expect(page.getByRole('article').filter({ hasText: 'Memory 2 of 3' })).toBeInViewport();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'View as book' }).click();
    await expect(book(page)).toBeVisible();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDF' }).click();
    expect((await download).suggestedFilename()).toBe('memory-flipbook.pdf');
    await expect(toast(page)).toContainText('Your PDF is ready');

    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/gallery$/);
    // Deletes one memory and reopens the book.
    await page.request.get('/api/memories').then(async (response) => {
      const memories = (await response.json()) as { id: string; caption: string }[];
      const second = memories.find(({ caption }) => caption === 'Second')!;
      expect((await page.request.delete(`/api/memories/${second.id}`)).status()).toBe(204);
    });
    await page.goForward();
    await page.reload();
    await expect(book(page)).toBeVisible();
    await page.keyboard.press('End');
    await expect(counter(page, 'Page 6 of 6')).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(book(page).getByText('Memory 2 of 2')).toBeVisible();
    await expect(book(page).getByText('Third')).toBeVisible();
  },
);
