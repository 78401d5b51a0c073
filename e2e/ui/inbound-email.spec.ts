import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { HeldMessage } from '#shared/inbound-email';
import type { FakeServer } from '../../client/src/testing/fake-server/fake-server.ts';
import { newId } from '../../client/src/testing/fake-server/fake-state.ts';
import { expectNoViolations } from '../axe.ts';
import { toast } from '../users.ts';
import { expect, test } from './fixtures.ts';

const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting for your OK' });
const heldMessage = (page: Page, subject: string) =>
  waiting(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(subject, { exact: true }) });
const FRIEND = 'friend@elsewhere.example';

/** The newest is first. */
function hold({ state }: FakeServer, subject: string, details: Partial<HeldMessage> = {}): void {
  const { now } = state;
  const message = { id: newId(state), subject, sender: FRIEND, isSenderProven: true, photoCount: 1 };
  state.heldMessages.unshift({
    ...message,
    createdAt: now,
    expiresAt: '2026-06-14T10:00:00.000Z',
    ...details,
  });
}

test('held emails are shown, looked at, accepted and discarded', async ({ page, server, fakeApp }) => {
  hold(server, 'From a forger', { isSenderProven: false });
  hold(server, 'From a friend');
  hold(server, 'From a shop', { sender: 'shop@elsewhere.example' });
  await page.goto('/gallery');
  await expect(heldMessage(page, 'From a forger')).toContainText('We could not verify this sender');
  await expect(heldMessage(page, 'From a forger')).toContainText(/1 photo · .* · Expires in 30 days/);
  await page.getByRole('button', { name: 'Show all 3 emails' }).press('Enter');
  await expect(heldMessage(page, 'From a shop')).toBeFocused();
  await expect(waiting(page).getByRole('listitem')).toContainText(['a forger', 'a friend', 'a shop']);
  await expect(page.getByText('3 emails with photos waiting for your OK.')).toBeAttached();

  const unseen = heldMessage(page, 'From a friend');
  await expect(unseen.getByRole('img')).toHaveCount(0);
  await page.route('**/api/held-messages/*/previews', (route) => route.abort(), { times: 1 });
  await unseen.getByRole('button', { name: 'Show photo' }).press('Enter');
  await expect(unseen.getByRole('alert')).toContainText('The photos could not be loaded.');
  await unseen.getByRole('button', { name: 'Try again' }).click();
  const photo = unseen.getByRole('img', { name: `Photo 1 of 1 from ${FRIEND}` });
  await expect(photo).toBeVisible();
  await expectNoViolations(page);
  await unseen.getByRole('button', { name: 'Hide photo' }).click();
  await expect(photo).toHaveCount(0);

  await heldMessage(page, 'From a shop').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(toast(page)).toHaveText('Email discarded');
  await expect(heldMessage(page, 'From a friend')).toBeFocused();
  await expect(waiting(page).getByRole('listitem')).toHaveCount(2);

  const accept = (subject: string) =>
    heldMessage(page, subject).getByRole('button', { name: 'Accept' }).click();
  await page.route('**/api/held-messages/*/accept', (route) => route.abort(), { times: 1 });
  await accept('From a forger');
  await expect(toast(page)).toHaveText('ErrorFailed to accept the photos');
  await accept('From a forger');
  await expect(heldMessage(page, 'From a forger')).toHaveCount(0);
  // The second click of a double click, on the row that replaced it.
  await heldMessage(page, 'From a friend')
    .getByRole('button', { name: 'Accept' })
    .dispatchEvent('click', { detail: 2 });
  hold(server, 'From a club', { sender: 'club@elsewhere.example' });
  fakeApp.emit('change', { kind: 'held-message', ids: null });
  await expect(heldMessage(page, 'From a club')).toBeVisible();
  const allow = heldMessage(page, 'From a friend').getByLabel('Always accept from this sender');
  await expect(allow).toHaveAccessibleDescription(FRIEND);
  await allow.check();
  await heldMessage(page, 'From a club').getByRole('button', { name: 'Discard' }).click();
  server.state.heldMessages.shift();
  fakeApp.emit('change', { kind: 'held-message', ids: null });
  await expect(page.getByText('From a club')).toHaveCount(0);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(heldMessage(page, 'From a friend')).toBeFocused();
  await accept('From a friend');
  await expect(waiting(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
  expect(server.state.allowedSenders).toEqual([FRIEND]);
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
