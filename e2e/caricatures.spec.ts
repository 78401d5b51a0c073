import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { OPENAI_KEY, startOpenaiServer } from '../server/testing/openai-server.ts';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { chooseAction } from './memory-cards.ts';
import { createAppFolder, removeAppFolder, startAndWait } from './lifecycle-app.ts';
import { registerUser, toast } from './users.ts';
import { createPet } from './pets.ts';
import { createMemory, smallPhoto } from './photos.ts';

/** The generator is slow on a busy machine. */
const GENERATION_TIMEOUT = { timeout: 60_000 };

/** Counts the confetti canvases added from now on; each is removed after its animation. */
async function watchConfetti(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = window as { confetti?: number };
    seen.confetti = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof HTMLCanvasElement) seen.confetti!++;
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as { confetti?: number }).confetti ?? 0);
}

async function refuseClipboardOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { clipboard } = navigator;
    clipboard.write = () => {
      Reflect.deleteProperty(clipboard, 'write');
      return Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
    };
  });
}

async function openCaricatures(page: Page): Promise<void> {
  await page.goto('/gallery');
  await page.getByRole('tab', { name: 'Caricatures' }).click();
  await expect(page.getByRole('heading', { name: 'Pet Caricatures' })).toBeVisible();
}

function createButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Create Caricature' });
}

function card(page: Page, name: string): Locator {
  return page.getByRole('article', { name });
}

test(
  'a caricature is generated, downloaded, shared, saved as a memory and deleted, without confetti with reduced motion',
  { tag: '@phone' },
  async ({ page, context, expectErrorResponse }) => {
    expectErrorResponse('/api/caricatures/');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const confetti = await watchConfetti(page);
    await registerUser(page);
    const petId = await createPet(page, { name: 'Biscuit/Bella', species: 'dog' });
    await createMemory(page, await smallPhoto(), 'At the lake', { petId });
    await createMemory(page, await smallPhoto(), 'Nobody in it');
    await openCaricatures(page);
    await expect(page.getByText('Cartoon filter')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No Caricatures Yet' })).toBeVisible();
    await expect(page.getByText('2 photos')).toBeVisible();
    await expect(createButton(page)).toBeDisabled();

    await page.getByRole('radio', { name: 'Nobody in it' }).check();
    await createButton(page).click();
    await expect(toast(page)).toContainText(
      'Pet Not FoundCould not determine which pet this photo belongs to.',
    );
    const whose = page.getByRole('combobox', { name: 'Who is in this photo?' });
    await expect(whose).toBeFocused();
    await expect(whose).toHaveAccessibleDescription('Please choose a pet');
    await page.getByRole('radio', { name: 'At the lake' }).check();
    await expect(whose).toBeHidden();
    await expect(page.getByText('Photo Selected')).toBeVisible();
    await page.getByRole('radio', { name: 'Pop art' }).check();
    await expectNoViolations(page);
    await createButton(page).click();
    const finished = page.getByRole('dialog', { name: 'Ta-da! Biscuit/Bella is a cartoon' });
    await expect(finished).toBeVisible(GENERATION_TIMEOUT);
    await expectNoViolations(page);
    expect(await confetti()).toBe(0);

    const save = finished.getByRole('button', { name: 'Save to Device' });
    await page.route('**/api/caricatures/*/file', (route) => route.abort(), { times: 1 });
    await save.click();
    await expect(toast(page)).toContainText(
      'Download FailedCould not download the caricature. Please try again.',
    );
    const download = page.waitForEvent('download');
    await save.click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Biscuit Bella-caricature.png');
    expect((await sharp(await readFile(await file.path())).metadata()).format).toBe('png');
    await expect(toast(page)).toContainText('Download Complete!');
    const share = finished.getByRole('button', { name: 'Share Magic' });
    await refuseClipboardOnce(page);
    await share.click();
    await expect(toast(page)).toContainText('Link created, but it could not be copied');
    await expect(finished.getByRole('link', { name: /\/p\// })).toBeVisible();
    await share.click();
    await expect(toast(page)).toContainText('Link Copied!');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await expect(finished.getByRole('link', { name: link })).toBeVisible();
    await finished.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
    await expect(toast(page)).toContainText('No longer shared');
    expect((await page.request.get(link)).status()).toBe(404);
    await finished.getByRole('button', { name: 'Add to memories' }).click();
    await expect(finished.getByRole('button', { name: 'Added to memories' })).toBeVisible();
    await finished.getByRole('button', { name: 'Use as profile picture' }).click();
    await expect(toast(page)).toContainText('Pet updated successfully!');
    await finished.getByRole('button', { name: 'View Gallery' }).click();
    const caricature = card(page, 'Caricature of Biscuit/Bella, pop art');
    await expect(caricature).toBeFocused();
    await expect(caricature).toContainText('Complete');
    await expect(page.getByRole('radio', { name: "Biscuit/Bella's caricature" })).toBeVisible();

    const menu = caricature.getByRole('button', { name: /^More for/ });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(menu).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page)).toContainText('Caricature deleted');
    await expect(page.getByRole('heading', { name: 'Pet Caricatures' })).toBeFocused();
    await expect(page.getByRole('heading', { name: 'No Caricatures Yet' })).toBeVisible();
  },
);

test('a photo without a pet becomes one caricature of a chosen pet, even if the response is lost', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/caricatures/generate');
  await registerUser(page);
  await createMemory(page, await smallPhoto(), 'At the lake');
  await openCaricatures(page);
  await page.getByRole('radio', { name: 'At the lake' }).check();
  await expect(page.getByRole('link', { name: 'Add your first pet' })).toBeVisible();
  await expectNoViolations(page);

  await createPet(page, { name: 'Biscuit', species: 'dog' });
  await page.reload();
  const whose = page.getByRole('combobox', { name: 'Who is in this photo?' });
  await whose.selectOption({ label: 'Biscuit (Dog)' });
  await expectNoViolations(page);
  await page.route(
    '**/api/caricatures/generate',
    async (route) => {
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
  const finished = page.getByRole('dialog', { name: 'Ta-da! Biscuit is a cartoon' });
  await expect(finished).toBeVisible(GENERATION_TIMEOUT);
  await finished.getByRole('button', { name: 'Close' }).click();
  await createButton(page).click();
  await expect(finished).toBeVisible();
  await finished.getByRole('button', { name: 'View Gallery' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('an AI needs consent, a double click starts once, a reload keeps the celebration, and failures are explained', async ({
  browser,
}) => {
  const openai = await startOpenaiServer();
  const place = createAppFolder();
  try {
    const { address } = await startAndWait(place, {
      OPENAI_API_KEY: OPENAI_KEY,
      OPENAI_BASE_URL: openai.url,
    });
    const context = await browser.newContext({ baseURL: address });
    const page = await context.newPage();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const confetti = await watchConfetti(page);
    let orders = 0;
    let consents = 0;
    page.on('request', (request) => {
      orders += Number(request.url().endsWith('/generate'));
      consents += Number(request.url().endsWith('/consent'));
    });
    await registerUser(page);
    const petId = await createPet(page, { name: 'Biscuit', species: 'dog' });
    await createMemory(page, await smallPhoto(), 'At the lake', { petId });
    await page.goto('/gallery');
    await page.getByRole('button', { name: 'Open At the lake' }).click();
    await chooseAction(page, 'Caricature');
    await expect(page.getByText('AI-Generated')).toBeVisible();
    await expect(page.getByRole('radio', { name: 'At the lake' })).toBeChecked();
    await expect(createButton(page)).toBeFocused();

    openai.answerNext('held');
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
    expect([consents, orders, openai.calls()]).toEqual([1, 2, 1]);
    openai.release();
    await expect(dialog.getByRole('button', { name: 'Save to Device' })).toBeVisible(GENERATION_TIMEOUT);
    await expect.poll(confetti).toBeGreaterThan(0);
    await dialog.getByRole('button', { name: 'Close' }).click();

    openai.answerNext({ status: 400, code: 'moderation_blocked' });
    await createButton(page).click();
    await expect(toast(page)).toContainText(
      'Generation FailedThe AI service declined this photo. Please try another one.',
      GENERATION_TIMEOUT,
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
    await context.close();
  } finally {
    removeAppFolder(place);
    await openai.close();
  }
});
