import { openMenu, signInAsNewUser } from '../../support/accounts/users.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { createPet } from '../../support/screens/pets.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

test.use({ timezoneId: 'Europe/London' });

test(
  'memories are grouped by month, newest first, with their details',
  { tag: ['@phone', '@quick'] },
  async ({ page }) => {
    await page.clock.setFixedTime('2026-03-15T12:00:00Z');
    await signInAsNewUser(page);
    const petId = await createPet(page, { name: 'Biscuit', species: 'dog' });
    await addPastMemories(
      page,
      [await smallPhoto()],
      [
        { createdAt: '2026-02-28T10:00:00Z', caption: 'Snow', memoryDate: '2026-02-28' },
        {
          createdAt: '2026-03-14T10:00:00Z',
          tags: ['summer', 'at the lake'],
          memoryDate: '2019-05-17',
          petId,
        },
        { createdAt: '2024-12-24T10:00:00Z', caption: 'يوم جميل' },
      ],
    );
    await page.goto('/');
    await openMenu(page);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await expect(page).toHaveTitle('Memory Timeline · Mems Are Forever');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Memory Timeline');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'March 2026',
      'February 2026',
      'December 2024',
    ]);

    const untitled = page
      .getByRole('region', { name: 'March 2026', exact: true })
      .getByRole('listitem')
      .first();
    await expect(untitled.getByText('14', { exact: true })).toBeVisible();
    await expect(untitled.getByText('March 14, 2026', { exact: true })).toBeVisible();
    await expect(untitled.getByText('Yesterday', { exact: true })).toBeVisible();
    await expect(untitled.getByText('Taken May 17, 2019', { exact: true })).toBeVisible();
    await expect(untitled.getByText('Untitled Memory', { exact: true })).toBeVisible();
    await expect(untitled.getByText('Biscuit', { exact: true })).toBeVisible();
    await expect(untitled.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveText([
      'summer',
      'at the lake',
    ]);

    const snow = page.getByRole('listitem').filter({ has: page.getByText('Snow', { exact: true }) });
    await expect(snow.getByText('February 28, 2026', { exact: true })).toBeVisible();
    await expect(snow.getByText(/Taken/)).toBeHidden();
    const picture = snow.getByRole('img', { name: 'Snow' });
    await expect(picture).toHaveAttribute('srcset', /w=200\S* 200w.*w=1600\S* 1600w/);
  },
);
