import type { Locator, Page } from '@playwright/test';
import { idOf } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { desktop, expect, phone, test } from '../fixtures.ts';
import { keepToasts } from '../../support/screens/toasts.ts';
import { fillSignIn, toast } from '../../support/accounts/users.ts';
import { addMemory, addPet } from '../albums.ts';

/** Once the toast and the target have stopped moving. */
async function expectUncovered(page: Page, ...targets: Locator[]): Promise<void> {
  for (const target of targets) {
    await expect(async () => {
      const [notice, box] = [await toast(page).boundingBox(), await target.boundingBox()];
      if (!notice || !box) throw new Error('One of them is not there');
      const isBeside = notice.x >= box.x + box.width || notice.x + notice.width <= box.x;
      const isAbove = notice.y >= box.y + box.height || notice.y + notice.height <= box.y;
      expect(isBeside || isAbove, JSON.stringify({ notice, box })).toBe(true);
    }).toPass({ timeout: 20_000 });
  }
}

test.beforeEach(({ page }) => keepToasts(page));

for (const [device, options] of Object.entries({ phone, desktop })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);

    test("a toast does not cover the picker's title and buttons", async ({ page, server }) => {
      addMemory(server, 'At the lake');
      await page.goto('/gallery');
      await page.getByRole('button', { name: /Flipbook/ }).click();
      const picker = page.getByRole('dialog', { name: 'Create Memory Flipbook' });
      const create = picker.getByRole('button', { name: 'Select memories to create flipbook' });
      await create.click();
      await expect(toast(page)).toContainText('No memories selected');
      await expectUncovered(
        page,
        create,
        picker.getByRole('heading', { name: 'Create Memory Flipbook' }),
        picker.getByRole('button', { name: 'Close' }),
        picker.getByRole('button', { name: /Select All/ }),
      );
      const { width = 0 } = (await toast(page).boundingBox()) ?? {};
      expect(width).toBeLessThanOrEqual(420);
    });

    test("a toast does not cover a dialog's title and buttons", async ({ page, server }) => {
      addPet(server, { name: 'Biscuit', species: 'dog' });
      await page.goto('/pets');
      await page.getByRole('button', { name: 'Edit Biscuit' }).click();
      const dialog = page.getByRole('dialog');
      await page.route('**/api/pets/*', (route) => route.abort());
      await dialog.getByLabel('Name').fill('Biscuits');
      const save = dialog.getByRole('button', { name: /Save|Update/ });
      await save.click();
      await expect(toast(page)).toBeVisible();
      await expectUncovered(
        page,
        save,
        dialog.getByRole('heading').first(),
        dialog.getByRole('button', { name: 'Close' }),
      );
    });
  });
}

test('a toast appears as soon as its code can be loaded', async ({ page, server }) => {
  let isCut = true;
  await page.route('**/assets/toaster-*.js', (route) => (isCut ? route.abort() : route.continue()));
  server.state.isSignedIn = false;
  const failsToLoad = () =>
    page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/toaster-'));
  const failedInAdvance = failsToLoad();
  await page.goto('/auth');
  await failedInAdvance;
  await fillSignIn(page, { email: 'unknown@example.com', password: 'not the one' });
  const failed = failsToLoad();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await failed;
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  isCut = false;
  await expect(toast(page)).toContainText('Login failed');
});

test('a toast rises where it stands, and moves away from a dialog that opens under it', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const moves: string[] = [];
  await page.exposeFunction('reportMove', (property: string) => void moves.push(property));
  await page.addInitScript(() => {
    const { reportMove } = window as unknown as { reportMove: (property: string) => void };
    document.addEventListener('transitionrun', ({ target, propertyName }) => {
      if (target instanceof Element && target.matches('#notifications ol')) reportMove(propertyName);
    });
  });
  const { now: createdAt } = server.state;
  const jo = { id: idOf(1), name: 'Jo', email: 'jo@family.example', relationship: null, createdAt };
  server.state.contacts.push({ ...jo, isActive: true, status: 'ok' });
  await page.goto('/contacts');
  await page.route('**/api/contacts/*', (route) => route.abort());
  await page.getByRole('switch').click();
  await expect(toast(page)).toBeVisible();
  await toast(page).evaluate((card) => Promise.all(card.getAnimations().map(({ finished }) => finished)));
  expect(moves).toEqual([]);
  await page.getByRole('button', { name: 'Remove Jo' }).click();
  const question = page.getByRole('alertdialog');
  await expectUncovered(
    page,
    question.getByRole('heading'),
    question.getByRole('button', { name: 'Cancel' }),
    question.getByRole('button', { name: 'Remove' }),
  );
});
