import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectUnknownRecipient, getInboundEmail, sendEmail, sendForgedEmail } from './inbound-emails.ts';
import { signInAsNewUser } from './users.ts';

/** A job processes the email before its photos appear. */
const ARRIVAL_TIMEOUT = { timeout: 30_000 };

const inAlbum = (page: Page, caption: string) => page.getByRole('img', { name: caption, exact: true });
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting for your OK' });
const heldMessage = (page: Page, subject: string) =>
  waiting(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(subject, { exact: true }) });

test('an emailed photo appears in the open gallery; others are held until the owner decides', async ({
  page,
}) => {
  test.slow();
  const { email, username } = await signInAsNewUser(page);
  const to = await getInboundEmail(page);
  const following = page.waitForResponse('**/api/events');
  await page.goto('/gallery');
  await following;
  await sendEmail(page, { from: email, to, subject: 'First snow' });
  await expect(inAlbum(page, 'First snow')).toBeVisible(ARRIVAL_TIMEOUT);
  await expect(waiting(page)).toHaveCount(0);

  await sendForgedEmail(page, { from: email, to, subject: 'From a forger' });
  await expect(heldMessage(page, 'From a forger')).toContainText(
    'We could not verify this sender',
    ARRIVAL_TIMEOUT,
  );
  const friend = `friend-${username}@elsewhere.example`;
  await sendEmail(page, { from: friend, to, subject: 'From a friend' });
  const unseen = heldMessage(page, 'From a friend');
  await expect(unseen).toContainText(friend, ARRIVAL_TIMEOUT);
  await unseen.getByRole('button', { name: 'Show photo' }).click();
  const photo = unseen.getByRole('img', { name: `Photo 1 of 1 from ${friend}` });
  await expect(photo).toHaveJSProperty('naturalWidth', 240, ARRIVAL_TIMEOUT);
  await heldMessage(page, 'From a forger').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await unseen.getByLabel('Always accept from this sender').check();
  await unseen.getByRole('button', { name: 'Accept' }).click();
  await expect(inAlbum(page, 'From a friend')).toBeVisible(ARRIVAL_TIMEOUT);
  await expect(waiting(page)).toHaveCount(0);

  await page.goto('/phone-verification');
  await expect(page.getByRole('button', { name: `Remove ${friend}` })).toBeVisible();
  await page.getByRole('button', { name: 'Reset address' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset address' }).click();
  await expect(page.getByText(to)).toHaveCount(0);
  await expect(page.getByText(await getInboundEmail(page))).toBeVisible();
  await expectUnknownRecipient(page, { from: email, to, subject: 'Too late' });
});
