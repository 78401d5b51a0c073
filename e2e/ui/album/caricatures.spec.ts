import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { idOf } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { card, createButton, openCaricatures } from '../../support/caricatures.ts';
import { watchConfetti } from '../../support/screens/confetti.ts';
import { chooseAction } from '../../support/screens/memory-cards.ts';
import { addMemories, addPet } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

/** Ends the one that is generating. */
function finish({ state }: FakeServer, failureReason: 'moderation' | null = null): void {
  const caricature = state.caricatures.find(({ status }) => status === 'generating')!;
  Object.assign(
    caricature,
    failureReason
      ? { status: 'failed', failureReason }
      : { status: 'completed', caricatureImageUrl: `/objects/${idOf(6)}` },
  );
}

test('a photo without a pet becomes one caricature of a chosen pet, even if the response is lost', async ({
  page,
  server,
}) => {
  addMemories(server, ['At the lake']);
  await openCaricatures(page);
  await page.getByRole('radio', { name: 'At the lake' }).check();
  await expect(page.getByRole('link', { name: 'Add your first pet' })).toBeVisible();
  await expectNoViolations(page);

  addPet(server, { name: 'Biscuit' });
  await page.reload();
  const whose = page.getByRole('combobox', { name: 'Who is in this photo?' });
  await whose.selectOption({ label: 'Biscuit (Dog)' });
  await expectNoViolations(page);
  const keys: (string | undefined)[] = [];
  await page.route(
    '**/api/caricatures/generate',
    async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await createButton(page).click();
  await expect(toast(page)).toContainText(
    'Generation FailedCould not start caricature generation. Please try again.',
  );
  // The server has started it: the list contains it.
  await expect(card(page, 'Caricature of Biscuit')).toContainText('Creating...');
  finish(server);
  const finished = page.getByRole('dialog', { name: 'Ta-da! Biscuit is a cartoon' });
  await expect(finished).toBeVisible();
  await finished.getByRole('button', { name: 'Close' }).click();
  // The server answers a repeated key with the same caricature.
  const repeated = page.waitForRequest('**/api/caricatures/generate');
  await createButton(page).click();
  expect((await repeated).headers()['idempotency-key']).toBe(keys[0]);
  expect(keys[0]).toBeTruthy();
});

test('an AI needs consent, a double click starts once, a reload keeps the celebration, and failures are explained', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const confetti = await watchConfetti(page);
  let orders = 0;
  let consents = 0;
  page.on('request', (request) => {
    orders += Number(request.url().endsWith('/generate'));
    consents += Number(request.url().endsWith('/consent'));
  });
  const { caricatureOptions } = server.state;
  Object.assign(caricatureOptions, { artist: 'openai', service: '127.0.0.1', consentNeeded: true });
  addMemories(server, ['At the lake'], { petId: addPet(server, { name: 'Biscuit' }).id });
  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Open At the lake' }).click();
  await chooseAction(page, 'Caricature');
  await expect(page.getByText('AI-Generated')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'At the lake' })).toBeChecked();
  await expect(createButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  const consent = page.getByRole('dialog', { name: 'Send your photo to 127.0.0.1?' });
  await consent.getByRole('button', { name: 'Not now' }).click();
  await expect(createButton(page)).toBeFocused();
  await createButton(page).click();
  await consent.getByRole('button', { name: 'Agree and create' }).dblclick();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This usually takes 15-30 seconds.');
  await expect.poll(confetti).toBeGreaterThan(0);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(card(page, 'Caricature of Biscuit')).toContainText('Creating...');
  await createButton(page).dblclick();
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(card(page, 'Caricature of Biscuit')).toContainText('Creating magic...');
  // The reload has read the list since: a double click that counted twice would have sent its request before.
  expect([consents, orders]).toEqual([1, 2]);
  finish(server);
  await expect(dialog.getByRole('button', { name: 'Save to Device' })).toBeVisible();
  await expect.poll(confetti).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Close' }).click();

  const started = page.waitForResponse('**/api/caricatures/generate');
  await createButton(page).click();
  await started;
  finish(server, 'moderation');
  await expect(toast(page)).toContainText(
    'Generation FailedThe AI service declined this photo. Please try another one.',
  );
  await expect(dialog).toBeHidden();
  const failed = page.getByRole('article').filter({ hasText: 'Generation failed' });
  await expect(failed).toContainText('The AI service declined this photo. Please try another one.');
  await expectNoViolations(page);

  const drawn = page.getByRole('article').filter({ hasText: 'Complete' }).first();
  const menu = drawn.getByRole('button', { name: /^More for/ });
  const redo = page.getByRole('menuitem', { name: 'Make another' });
  await menu.click();
  await expect(redo).toBeVisible();
  await page.route('**/api/caricatures/options', (route) => route.abort());
  await page.reload();
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('New caricatures can’t be started right now.');
  await menu.click();
  await expect(page.getByRole('menuitem', { name: 'Save to Device' })).toBeVisible();
  await expect(redo).toBeHidden();
  await page.keyboard.press('Escape');
  await page.unroute('**/api/caricatures/options');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(createButton(page)).toBeVisible();
});
