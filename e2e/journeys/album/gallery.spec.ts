import { now } from '../../support/clock.ts';
import { expectShown, petFilter, search, view } from '../../support/screens/gallery.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { createPet } from '../../support/screens/pets.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { openMenu, signInAsNewUser } from '../../support/accounts/users.ts';

test(
  'search, pet and view are in the URL: typing replaces the history entry, choosing adds one',
  { tag: '@quick' },
  async ({ page }) => {
    await signInAsNewUser(page);
    const biscuit = await createPet(page, { name: 'Biscuit', species: 'dog' });
    const createdAt = now().toISOString();
    await addPastMemories(
      page,
      [await smallPhoto()],
      [
        { createdAt, caption: 'Digging', petId: biscuit },
        { createdAt, caption: 'Dinner' },
      ],
    );
    await page.goto('/');
    await openMenu(page);
    await page.getByRole('link', { name: 'Gallery' }).click();
    await search(page).fill('d');
    await expect(page).toHaveURL('/gallery?q=d');
    await search(page).fill('di');
    await expect(page).toHaveURL('/gallery?q=di');
    await petFilter(page).selectOption('Biscuit (Dog)');
    await view(page, 'List').check();
    await expect(page).toHaveURL(`/gallery?q=di&pet=${biscuit}&view=list`);
    await expectShown(page, ['Digging']);

    await page.reload();
    await expectShown(page, ['Digging']);
    await expect(search(page)).toHaveValue('di');
    await expect(petFilter(page)).toHaveValue(biscuit);
    await expect(view(page, 'List')).toBeChecked();

    await page.goBack();
    await expect(view(page, 'Grid')).toBeChecked();
    await page.goBack();
    await expect(petFilter(page)).toHaveValue('');
    await expectShown(page, ['Dinner', 'Digging']);
    await page.goBack();
    await expect(page).toHaveURL('/');
    await page.goForward();
    await expect(search(page)).toHaveValue('di');
  },
);
