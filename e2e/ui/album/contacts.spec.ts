import { toast } from '../../support/accounts/users.ts';
import { waitForResponseTo } from '../../support/apps/network.ts';
import { addContact, row, switchOf } from '../../support/contacts.ts';
import { expect, phone, test } from '../fixtures.ts';

test('a contact is added, switched off and on, and removed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page).toHaveTitle('Your Contacts · Mems Are Forever');
  await expect(page.getByRole('heading', { name: 'No contacts yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Add Your First Contact' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByRole('button', { name: 'Save Contact' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expect(page.getByText('Please enter a valid email')).toBeVisible();
  await page.getByLabel('Relationship').selectOption('family');
  await addContact(page, 'Oma Ingrid', 'ingrid@family.example');
  await expect(toast(page)).toHaveText('Contact added');
  await expect(page.getByRole('button', { name: 'Add Contact' })).toBeFocused();
  await expect(row(page, 'Oma Ingrid')).toContainText('ingrid@family.example · Family');

  await page.getByRole('button', { name: 'Add Contact' }).click();
  await addContact(page, 'Ingrid again', 'Ingrid@Family.example');
  await expect(toast(page)).toHaveText('ErrorYou already have a contact with this email');
  await page.getByLabel('Email').fill('jo@family.example');
  await page.getByRole('button', { name: 'Save Contact' }).dblclick();
  await expect(page.getByRole('switch')).toHaveCount(2);

  const isSwitched = waitForResponseTo(page, 'PATCH');
  await switchOf(page, 'Oma Ingrid').click();
  await expect(switchOf(page, 'Oma Ingrid')).not.toBeChecked();
  await isSwitched;
  await page.reload();
  await expect(switchOf(page, 'Oma Ingrid')).not.toBeChecked();
  await expect(switchOf(page, 'Ingrid again')).toBeChecked();

  await page.getByRole('button', { name: 'Remove Oma Ingrid' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to remove this contact?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove Oma Ingrid' }).click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(toast(page)).toHaveText('Contact removed');
  await expect(row(page, 'Oma Ingrid')).toHaveCount(0);
  await expect(row(page, 'Ingrid again')).toBeFocused();
});

test('a contact is edited in its row, which warns of a new address', async ({ page }) => {
  for (const [name, email] of [
    ['Jo', 'jo@family.example'],
    ['Oma Ingird', 'ingird@family.example'],
  ])
    await page.request.post('/api/contacts', { data: { name, email } });
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'Edit Oma Ingird' }).click();
  const form = page.getByRole('form', { name: 'Edit Oma Ingird' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await expect(form.getByLabel('Email')).toHaveValue('ingird@family.example');
  await form.getByLabel('Email').fill('jo@family.example');
  await expect(form.getByText('Links in earlier emails will stop working')).toBeVisible();
  await form.getByRole('button', { name: 'Save Contact' }).click();
  await expect(toast(page)).toHaveText('ErrorYou already have a contact with this email');
  await expect(form.getByLabel('Email')).toBeFocused();
  await form.getByLabel('Name').fill('Oma Ingrid');
  await form.getByLabel('Email').fill('ingrid@family.example');
  await form.getByLabel('Relationship').selectOption('family');
  await form.getByRole('button', { name: 'Save Contact' }).click();
  await expect(toast(page)).toHaveText('Contact saved');
  await expect(row(page, 'Oma Ingrid')).toContainText('ingrid@family.example · Family');
  await expect(row(page, 'Oma Ingrid')).toBeFocused();
  await page.getByRole('button', { name: 'Edit Jo' }).click();
  await page.getByLabel('Name').fill('Somebody else');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, 'Jo')).toContainText('jo@family.example');
});

for (const [device, options] of Object.entries({ phone, desktop: {} })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);
    test('long names, addresses and relationships are not cut off', async ({ page }) => {
      const name = 'Donaudampfschifffahrtsgesellschaftskapitän Ingrid von und zu Hohenstein';
      const email = `${'grandmother-of-the-whole-family.'.repeat(2)}x@mail.a-very-long-provider-name.example`;
      await page.request.post('/api/contacts', { data: { name, email, relationship: 'colleague' } });
      await page.goto('/contacts');
      for (const text of [page.getByRole('heading', { name }), page.getByText(email)]) {
        await expect(text).toBeVisible();
        expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
        await expect(text).not.toHaveCSS('text-overflow', 'ellipsis');
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
        page.viewportSize()?.width,
      );
    });
  });
}

test('a failed switch is rolled back with a toast', async ({ page }) => {
  await page.request.post('/api/contacts', { data: { name: 'Jo', email: 'jo@family.example' } });
  await page.goto('/contacts');
  await page.route('**/api/contacts/*', (route) => route.abort());
  await switchOf(page, 'Jo').click();
  await expect(toast(page)).toHaveText('ErrorFailed to update contact');
  await expect(switchOf(page, 'Jo')).toBeChecked();
});
