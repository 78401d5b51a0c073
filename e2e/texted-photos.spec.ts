import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signUpQuickly } from './people.ts';
import { addPetQuickly } from './pets.ts';
import { someNumber, verifyPhoneQuickly } from './phones.ts';
import type { Photo } from './photo-files.ts';
import { smallPhoto } from './photos.ts';

/** Goes there, and hears of what arrives from then on. */
async function follow(page: Page, path: string): Promise<Page> {
  const following = page.waitForResponse('**/api/events');
  await page.goto(path);
  await following;
  return page;
}

/** The one for texts: there is one for mail, too. */
const textForm = (outbox: Page) => outbox.getByRole('group').filter({ hasText: 'Send a test text' });
const numberField = (outbox: Page) => textForm(outbox).getByLabel('Your phone number');

async function openForm(outbox: Page): Promise<void> {
  await outbox.getByText('Send a test text').click();
}

async function sendText(outbox: Page, from: string, text: string, photos: Photo[]): Promise<void> {
  const form = textForm(outbox);
  await numberField(outbox).fill(from);
  await form.getByLabel('Text', { exact: true }).fill(text);
  await form.getByLabel('Photos').setInputFiles(photos);
  await form.getByRole('button', { name: 'Send text' }).click();
}

/** The answer stands there once it has come. The page looks for it by itself, but not for ever. */
async function expectAnswer(outbox: Page, e164: string, answer: string): Promise<void> {
  const texts = outbox.getByRole('listitem').filter({ hasText: `to ${e164}` });
  await expect(async () => {
    await outbox.reload();
    await expect(texts.first()).toContainText(answer, { timeout: 500 });
  }).toPass();
}

test(
  'a photo that is texted shows in every open page, and UNDO takes it away again',
  { tag: '@once' },
  async ({ page, context, expectRefusal }) => {
    // Five pages at once.
    expectRefusal('/dev/texts');
    const { e164, shown } = someNumber();
    await signUpQuickly(page);
    await verifyPhoneQuickly(page, e164);
    await addPetQuickly(page, { name: 'Rex', species: 'dog' });
    await page.goto('/phone-verification');
    await expect(page.getByRole('heading', { name: 'Phone Verified!' })).toBeVisible();
    const howTo = page.getByRole('region', { name: 'Text your photos' });
    await expect(howTo).toContainText('+1 202 555 0100');
    await expect(howTo).toContainText('PetName: Caption');

    const gallery = await follow(page, '/gallery');
    const home = await follow(await context.newPage(), '/');
    const timeline = await follow(await context.newPage(), '/timeline');
    const outbox = await context.newPage();
    await outbox.goto('/dev/outbox');
    await openForm(outbox);
    await sendText(outbox, '12', 'rex: First snow', []);
    await expect(numberField(outbox)).toHaveAccessibleDescription(/not a phone number/);
    await sendText(outbox, shown, 'rex: First snow', [await smallPhoto(), await smallPhoto(300, 300)]);
    await expect(outbox.getByRole('status')).toContainText('Your text was sent');
    await expectAnswer(outbox, e164, 'Added 2 photos for Rex.');
    for (const each of [gallery, home, timeline]) {
      await each.bringToFront();
      await expect(each.getByText('First snow').first()).toBeVisible();
    }
    await expect(home.getByText('2 memories captured')).toBeVisible();

    await openForm(outbox);
    await sendText(outbox, shown, 'undo', []);
    await expect(outbox.getByRole('status')).toContainText('Your text was sent');
    await expectAnswer(outbox, e164, 'Took back 2 photos.');
    for (const each of [gallery, home, timeline]) {
      await each.bringToFront();
      await expect(each.getByText('First snow')).toHaveCount(0);
    }
  },
);
