import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectNoViolations } from '../../support/axe.ts';
import { card, createButton, openCaricatures } from '../../support/caricatures.ts';
import { now } from '../../support/clock.ts';
import { watchConfetti } from '../../support/screens/confetti.ts';
import { expect, test } from '../../support/fixtures.ts';
import { signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { createPet } from '../../support/screens/pets.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

/** The generator is slow on a busy machine. */
const GENERATION_TIMEOUT = { timeout: 60_000 };

async function rejectClipboardOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { clipboard } = navigator;
    clipboard.write = () => {
      Reflect.deleteProperty(clipboard, 'write');
      return Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
    };
  });
}

test(
  'a caricature is generated, downloaded, shared, saved as a memory and deleted, without confetti with reduced motion',
  { tag: '@quick' },
  async ({ page, context, expectErrorResponse }) => {
    expectErrorResponse('/api/caricatures/');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const confetti = await watchConfetti(page);
    await signInAsNewUser(page);
    const petId = await createPet(page, { name: 'Biscuit/Bella', species: 'dog' });
    const createdAt = now().toISOString();
    await addPastMemories(
      page,
      [await smallPhoto()],
      [
        { createdAt, caption: 'At the lake', petId },
        { createdAt, caption: 'Nobody in it' },
      ],
    );
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
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoViolations(page);
    await page.setViewportSize(wide);
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
    await rejectClipboardOnce(page);
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
