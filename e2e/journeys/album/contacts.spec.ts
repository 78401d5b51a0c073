import { signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { openDevOutbox, openEmail } from '../../support/apps/dev-outbox.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { addContact, row, switchOf } from '../../support/contacts.ts';
import { expect, test } from '../../support/fixtures.ts';
import { createMemory, smallPhoto } from '../../support/screens/photos.ts';

test(
  'a contact is added, gets an email with a new photo, and can unsubscribe',
  { tag: '@quick' },
  async ({ page, context }) => {
    const { firstName, username } = await signInAsNewUser(page);
    const email = `ingrid-${username}@family.example`;
    await page.goto('/contacts');
    await page.getByRole('button', { name: 'Add Your First Contact' }).click();
    await addContact(page, 'Oma Ingrid', email);
    await expect(toast(page)).toHaveText('Contact added');
    await createMemory(page, await smallPhoto(), 'First snow');

    const outbox = await context.newPage();
    const linkTo = await openEmail(outbox, email, `${firstName} has shared a new photo`);
    await openDevOutbox(outbox);
    await expectNoViolations(outbox);

    const photoPage = await context.newPage();
    await photoPage.goto(linkTo('p'));
    await expect
      .poll(() =>
        photoPage
          .getByRole('img', { name: 'First snow' })
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
    await expectNoViolations(photoPage);

    const stopPage = await context.newPage();
    await stopPage.goto(linkTo('unsubscribe'));
    await expectNoViolations(stopPage);
    await stopPage.getByRole('button', { name: 'Stop these emails' }).click();
    await expect(stopPage.getByRole('heading', { name: /no longer get emails/ })).toBeVisible();
    await stopPage.getByRole('link', { name: 'Choose what you get' }).click();
    await expect(stopPage.getByLabel('Nothing')).toBeChecked();
    await expectNoViolations(stopPage);

    await page.reload();
    await expect(row(page, 'Oma Ingrid')).toContainText('Unsubscribed');
    await expect(switchOf(page, 'Oma Ingrid')).toBeDisabled();
  },
);
