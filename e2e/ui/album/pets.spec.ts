import { idOf } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { toast } from '../../support/accounts/users.ts';
import { heicPhoto } from '../../support/photo-files.ts';
import { fillPet, petCard, profilePictureInput } from '../../support/screens/pets.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { addPet } from '../albums.ts';
import { expect, test } from '../fixtures.ts';
import { recordForms } from '../sent-forms.ts';

test('a profile picture is replaced and removed, after a second thought', async ({ page, server }) => {
  const sentForms = await recordForms(page);
  addPet(server, { name: 'Biscuit', profileImageUrl: `/objects/${idOf(1)}` });
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await profilePictureInput(page).setInputFiles(await smallPhoto());
  await expect(page.getByRole('img', { name: 'The picture you chose' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page)).toContainText('Pet updated successfully!');
  expect(await sentForms()).toEqual([
    {
      profileImage: 'file small.jpg',
      profileImageCrop: expect.stringMatching(/^\d+,\d+,\d+$/) as unknown as string,
    },
  ]);

  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(profilePictureInput(page)).toBeFocused();
  await expect(page.getByText('The picture will be removed when you save.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Biscuit' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(petCard(page, 'Biscuit')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Biscuit, dog' })).toBeHidden();
  expect(server.state.pets).toMatchObject([{ name: 'Biscuit', profileImageUrl: null }]);
});

test('a picture is framed by dragging, the wheel and a tap; what is shown is what is sent', async ({
  page,
  server,
}) => {
  const sentForms = await recordForms(page);
  const originalUrl = `/objects/${idOf(1)}`;
  addPet(server, {
    name: 'Biscuit',
    profileImageUrl: `/objects/${idOf(2)}`,
    profileImageCrop: { originalUrl, width: 900, height: 600, left: 150, top: 0, size: 600 },
  });
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Edit Biscuit' }).click();
  await page.getByRole('button', { name: 'Adjust' }).click();
  const frame = page.getByRole('application');
  const shown = async () => {
    const style = await frame.locator('img').evaluate((image: HTMLElement) => ({ ...image.style }));
    const size = (900 / parseFloat(style.width)) * 100;
    return [style.left, style.top]
      .map((side) => Math.abs(Math.round((parseFloat(side) * size) / 100)))
      .concat(size);
  };
  const { x = 0, y = 0, width = 0 } = (await frame.boundingBox()) ?? {};
  const center = [x + width / 2, y + width / 2] as const;
  await page.mouse.move(...center);
  await page.mouse.down();
  await page.mouse.move(center[0] + width / 4, center[1], { steps: 3 });
  await page.mouse.up();
  expect(await shown()).toEqual([0, 0, 600]);
  await page.mouse.move(x + 1, y + 1);
  await page.mouse.wheel(0, -1000);
  await expect.poll(async () => (await shown())[2]).toBeLessThan(600);
  await page.mouse.click(x + width * 0.75, y + width * 0.75);
  const [left, top, size = 0] = await shown();
  expect(left).toBeGreaterThan(0);
  expect(top).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page)).toContainText('Pet updated successfully!');
  const profileImageCrop = `${left},${top},${Math.round(size)}`;
  expect(await sentForms()).toEqual([{ profileImageCrop, croppedImageId: idOf(1) }]);
});

test('a HEIC is accepted, although the browser cannot decode it', async ({ page }) => {
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Add New Pet' }).click();
  await fillPet(page, { name: 'Mimi', species: 'cat' });
  await profilePictureInput(page).setInputFiles(await heicPhoto());
  await expect(page.getByRole('img', { name: 'The picture you chose' })).toBeVisible();
  await page.getByRole('button', { name: 'Add Pet' }).click();
  await expect(toast(page)).toContainText('Pet added successfully!');
});

test('a pet deleted elsewhere disappears', async ({ page, server }) => {
  for (const name of ['Biscuit', 'Mimi']) addPet(server, { name });
  await page.goto('/pets');
  await expect(page.getByRole('article')).toHaveCount(2);
  server.state.pets = [];
  await page.getByRole('button', { name: 'Delete Mimi' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast(page)).toContainText('Pet deleted');
  await expect(page.getByRole('heading', { name: 'No pets yet' })).toBeVisible();
});

test('pets show a loading state and an error state', async ({ page, server }) => {
  addPet(server, { name: 'Biscuit' });
  let fail = () => {};
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await page.route('**/api/pets?*', async (route) => {
    await failing;
    await route.abort();
  });
  await page.goto('/pets');
  await expect(page.getByText('Loading your pets...')).toBeVisible();
  fail();
  await expect(page.getByText('Your pets could not be loaded.')).toBeVisible();
  await page.unroute('**/api/pets?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(petCard(page, 'Biscuit')).toBeVisible();
});

test('pets are added, edited and deleted with the keyboard, without losing the focus', async ({
  page,
  server,
}) => {
  addPet(server, { name: 'Ace', species: 'bird' });
  addPet(server, { name: 'Mimi', species: 'cat' });
  await page.goto('/pets');
  await expect(petCard(page, 'Ace')).toBeVisible();
  await page.getByRole('main').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(profilePictureInput(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Biscuit');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Dog');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Beagle');
  await page.keyboard.press('Enter');
  await expect(petCard(page, 'Biscuit').getByText('Dog · Beagle')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Pet' })).toBeFocused();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Edit Ace' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(petCard(page, 'Ace')).toBeHidden();
  await expect(petCard(page, 'Biscuit')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Edit Biscuit' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Edit Biscuit' })).toBeFocused();
});
