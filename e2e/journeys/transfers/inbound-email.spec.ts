import type { Page } from '@playwright/test';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import {
  expectUnknownRecipient,
  getInboundEmail,
  sendEmail,
  sendForgedEmail,
} from '../../support/apps/inbound-emails.ts';
import { expect, test } from '../../support/fixtures.ts';

/** A job processes the email before its photos appear. */
const ARRIVAL_TIMEOUT = { timeout: 30_000 };

const inAlbum = (page: Page, caption: string) => page.getByRole('img', { name: caption, exact: true });
const waiting = (page: Page) => page.getByRole('button', { name: /with photos (is|are) waiting/ });
const review = (page: Page) => page.getByRole('dialog', { name: 'Waiting for your OK' });

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
  await expect(waiting(page)).toHaveText(/^1 email/, ARRIVAL_TIMEOUT);
  const friend = `friend-${username}@elsewhere.example`;
  await sendEmail(page, { from: friend, to, subject: 'From a friend' });
  await expect(waiting(page)).toHaveText(/^2 emails/, ARRIVAL_TIMEOUT);
  await waiting(page).click();
  await expect(review(page)).toContainText('From a forger');
  await expect(review(page)).toContainText('We could not verify this sender');
  await review(page).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(review(page)).toContainText(friend);
  const photo = review(page).getByRole('img', { name: `Photo 1 of 1 from ${friend}` });
  await expect(photo).toHaveJSProperty('naturalWidth', 240, ARRIVAL_TIMEOUT);
  await review(page).getByLabel('Always accept from this sender').click();
  await review(page).getByRole('button', { name: 'Accept' }).click();
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
