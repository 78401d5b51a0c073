import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { fullState } from '../../../client/src/testing/fake-server/state/full-state.ts';
import { newId } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { toast } from '../../support/accounts/users.ts';
import { expect, test } from '../fixtures.ts';

const review = (page: Page) => page.getByRole('dialog', { name: 'Waiting for your OK' });
const email = (page: Page, subject: string) =>
  review(page).getByRole('article', { name: subject, exact: true });
const FRIEND = 'friend@elsewhere.example';

/** The newest is first. */
function hold({ state }: FakeServer, subject: string, details: Partial<HeldMessage> = {}): void {
  const { now } = state;
  const message = {
    id: newId(state),
    subject,
    sender: FRIEND,
    isSenderAuthenticated: true,
    petId: null,
    photoCount: 1,
  };
  state.heldMessages.unshift({
    ...message,
    createdAt: now,
    expiresAt: '2026-06-14T10:00:00.000Z',
    ...details,
  });
}

test('held emails are one line, and are reviewed one by one', async ({ page, server, fakeApp }) => {
  const full = fullState();
  Object.assign(server.state, { pets: full.pets, contacts: full.contacts });
  const [rex] = full.pets;
  hold(server, 'From a forger', { isSenderAuthenticated: false });
  hold(server, 'From a friend');
  hold(server, 'Rex: from a shop', { sender: 'shop@elsewhere.example', petId: rex!.id });
  await page.goto('/gallery');
  const line = page.getByRole('button', { name: '3 emails with photos are waiting Review' });
  expect((await line.boundingBox())?.height).toBe(44);
  await page.route('**/api/held-messages/*/previews', (route) => route.abort(), { times: 1 });
  await line.press('Enter');
  await expect(email(page, 'From a forger')).toContainText('We could not verify this sender');
  await expect(email(page, 'From a forger')).toContainText(/1 photo · .* · Expires in 30 days/);
  const emailIt = review(page).getByLabel('Email it to Oma Ingrid');
  await expect(emailIt).not.toBeChecked();
  await expect(review(page)).toContainText('Email 1 of 3');
  await expect(review(page).getByRole('alert')).toContainText('The photos could not be loaded.');
  await review(page).getByRole('button', { name: 'Try again' }).click();
  await expect(review(page).getByRole('img', { name: `Photo 1 of 1 from ${FRIEND}` })).toBeVisible();
  await expectNoViolations(page);

  const who = review(page).getByLabel('Who is in it?');
  await expect(who).toHaveValue('');
  await review(page).getByRole('button', { name: 'Next email' }).click();
  await review(page).getByRole('button', { name: 'Next email' }).click();
  await expect(email(page, 'Rex: from a shop')).toBeVisible();
  await expect(who).toHaveValue(rex!.id);
  await review(page).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(toast(page)).toHaveText('Email discarded');
  await expect(review(page)).toContainText('Email 2 of 2');
  await expect(email(page, 'From a friend')).toBeVisible();

  await review(page).getByRole('button', { name: 'Previous email' }).click();
  const accept = review(page).getByRole('button', { name: 'Accept' });
  await page.route('**/api/held-messages/*/accept', (route) => route.abort(), { times: 1 });
  await accept.click();
  await expect(toast(page)).toHaveText('ErrorFailed to accept the photos');
  await emailIt.click();
  await accept.click();
  await expect(email(page, 'From a friend')).toBeVisible();
  // The second click of a double click, on the email that replaced the accepted one.
  await accept.dispatchEvent('click', { detail: 2 });
  hold(server, 'From a club', { sender: 'club@elsewhere.example' });
  fakeApp.emit('change', { kind: 'held-message', ids: null });
  await expect(review(page)).toContainText('Email 1 of 2');
  await who.selectOption('Rex (Dog)');
  await review(page).getByLabel('Always accept from this sender').click();
  await expect(emailIt).toBeChecked();
  await emailIt.click();
  await accept.click();
  await expect(email(page, 'From a club')).toBeVisible();
  server.state.heldMessages.shift();
  fakeApp.emit('change', { kind: 'held-message', ids: null });
  await expect(review(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
  expect(server.state.allowedSenders).toEqual([FRIEND]);
  expect(server.state.acceptedMessages).toEqual([
    { emailContacts: true },
    { petId: rex!.id, emailContacts: false },
  ]);
});

test('a held email is reviewed once pets and contacts are loaded, and sends only what was asked', async ({
  page,
  server,
}) => {
  hold(server, 'From a friend');
  const lists = /\/api\/(pets|contacts)(\?|$)/;
  await page.route(lists, (route) => route.fulfill({ status: 400, json: { message: 'No' } }));
  await page.goto('/gallery');
  await page.getByRole('button', { name: '1 email with photos is waiting Review' }).click();
  await expect(review(page).getByRole('alert')).toContainText('Your pets could not be loaded.');
  await expect(review(page).getByRole('button', { name: 'Accept' })).toHaveCount(0);
  await page.unroute(lists);
  await review(page).getByRole('button', { name: 'Try again' }).click();
  await expect(review(page).getByRole('alert')).toContainText('Your contacts could not be loaded.');
  await review(page).getByRole('button', { name: 'Try again' }).click();
  await review(page).getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page)).toContainText('Accepted');
  expect(server.state.acceptedMessages).toEqual([{}]);
});

test('the address for photos is shown, saved, opened to other senders and reset', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email } = server.state.user;
  const address = server.state.user.inboundEmail!;
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByRole('link', { name: 'Add by text or email' }).click();
  await expect(page).toHaveURL('/phone-verification');
  await page.getByRole('button', { name: 'Copy address' }).click();
  await expect(toast(page)).toHaveText('Address copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save to contacts' }).click();
  const card = await downloading;
  expect(card.suggestedFilename()).toBe('mems-are-forever.vcf');
  expect(await readFile(await card.path(), 'utf8')).toContain(`EMAIL:${address}\r\n`);

  const field = page.getByLabel('Email address');
  const add = async (text: string) => {
    await field.fill(text);
    await page.getByRole('button', { name: 'Allow sender' }).click();
  };
  await add('ingrid');
  await expect(field).toHaveAccessibleDescription('Please enter a valid email address');
  await add(email.toUpperCase());
  await expect(field).toHaveAccessibleDescription('This address is already on the list');
  await expectNoViolations(page);
  for (const friend of ['Ingrid@family.example', 'jo@family.example']) {
    await add(friend);
    await expect(page.getByRole('button', { name: `Remove ${friend.toLowerCase()}` })).toBeVisible();
    await expect(field).toHaveValue('');
  }
  await page.getByRole('button', { name: 'Remove jo@family.example' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'ingrid@family.example' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Remove jo@family.example' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Reset address' }).click();
  const question = page.getByRole('alertdialog', { name: 'Reset your address?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Reset address' }).click();
  let resets = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/inbound-email/reset')) resets++;
  });
  await question.getByRole('button', { name: 'Reset address' }).dblclick();
  await expect(toast(page)).toContainText('You have a new address');
  await expect(page.getByText(address)).toHaveCount(0);
  await expect(page.getByText(server.state.user.inboundEmail!)).toBeFocused();
  expect(resets).toBe(1);
});
