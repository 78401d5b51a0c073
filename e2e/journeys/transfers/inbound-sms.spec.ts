import type { Page } from '@playwright/test';
import { expect, test } from '../../support/fixtures.ts';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import { createPet } from '../../support/screens/pets.ts';
import { openDevOutbox } from '../../support/apps/dev-outbox.ts';
import { newPhoneNumber, verifyPhoneNumber } from '../../support/accounts/phone-numbers.ts';
import type { Photo } from '../../support/photo-files.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

/** Opens the page and waits for its event stream. */
async function follow(page: Page, path: string): Promise<Page> {
  const following = page.waitForResponse('**/api/events');
  await page.goto(path);
  await following;
  return page;
}

/** The form for SMS; the page has one for email, too. */
const smsForm = (outbox: Page) => outbox.getByRole('group').filter({ hasText: 'Send a test text' });
const numberField = (outbox: Page) => smsForm(outbox).getByLabel('Your phone number');

async function openForm(outbox: Page): Promise<void> {
  await outbox.getByText('Send a test text').click();
}

async function sendSms(outbox: Page, from: string, text: string, photos: Photo[]): Promise<void> {
  const form = smsForm(outbox);
  await numberField(outbox).fill(from);
  await form.getByLabel('Text', { exact: true }).fill(text);
  await form.getByLabel('Photos').setInputFiles(photos);
  await form.getByRole('button', { name: 'Send text' }).click();
}

/** Reloads until the reply is shown: the page polls only for a while. */
async function expectReply(outbox: Page, e164: string, reply: string): Promise<void> {
  const texts = outbox.getByRole('listitem').filter({ hasText: new RegExp(`to \\${e164}\\b`) });
  await expect(async () => {
    await outbox.reload();
    await expect(texts.first()).toContainText(reply, { timeout: 500 });
  }).toPass();
}

test(
  'a photo sent by SMS appears in every open page',
  { tag: '@quick' },
  async ({ page, context, expectErrorResponse }) => {
    expectErrorResponse('/dev/sms');
    const { e164, shown } = newPhoneNumber();
    await signInAsNewUser(page);
    await verifyPhoneNumber(page, e164);
    await createPet(page, { name: 'Rex', species: 'dog' });
    await page.goto('/phone-verification');
    await expect(page.getByRole('heading', { name: 'Phone Verified!' })).toBeVisible();
    const howTo = page.getByRole('region', { name: 'Text your photos' });
    await expect(howTo).toContainText('+1 202 555 0100');
    await expect(howTo).toContainText('PetName: Caption');

    const gallery = await follow(page, '/gallery');
    const home = await follow(await context.newPage(), '/');
    const timeline = await follow(await context.newPage(), '/timeline');
    const outbox = await context.newPage();
    await openDevOutbox(outbox);
    await openForm(outbox);
    await sendSms(outbox, '12', 'rex: First snow', []);
    await expect(numberField(outbox)).toHaveAccessibleDescription(/not a phone number/);
    await sendSms(outbox, shown, 'rex: First snow', [await smallPhoto(), await smallPhoto(300, 300)]);
    await expect(outbox.getByRole('status')).toContainText('Your text was sent');
    await expectReply(outbox, e164, 'Added 2 photos for Rex.');
    for (const each of [gallery, home, timeline]) {
      await each.bringToFront();
      await expect(each.getByText('First snow').first()).toBeVisible();
    }
    await expect(home.getByText('2 memories captured')).toBeVisible();
  },
);
