import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { cardMenu } from '../../support/screens/memory-cards.ts';
import { holdScript } from '../../support/apps/network.ts';
import { addMemory } from '../albums.ts';

const CAPTION = 'At the lake';

test.beforeEach(({ server }) => {
  for (const caption of ['Snow', CAPTION, 'Sofa'])
    addMemory(server, caption, { tags: [`${caption} day`, 'family'] });
});

/** Screens that show memories, and their containers. */
const openers = {
  'the gallery as a grid': {
    path: '/gallery',
    within: (page: Page) => page.getByRole('region', { name: 'Memories' }),
  },
  'the gallery as a list': {
    path: '/gallery?view=list',
    within: (page: Page) => page.getByRole('region', { name: 'Memories' }),
  },
  'the timeline': { path: '/timeline', within: (page: Page) => page.getByRole('main') },
  'the collection at home': {
    path: '/',
    within: (page: Page) => page.getByRole('region', { name: 'Your Memory Collection' }),
  },
  'the timeline at home': {
    path: '/',
    within: (page: Page) => page.getByRole('region', { name: 'Your Mems Timeline' }),
  },
};

for (const [name, { path, within }] of Object.entries(openers)) {
  test(`the photo, the caption and Enter open a memory in ${name}`, async ({ page }) => {
    await page.goto(path);
    const opener = within(page).getByRole('button', { name: openerOf(CAPTION) });
    const caption = within(page).getByText(CAPTION, { exact: true });
    const dialog = page.getByRole('dialog', { name: CAPTION });
    const ways: [Locator, () => Promise<void>][] = [
      [caption, () => caption.click()],
      [opener, () => opener.click()],
      [opener, () => opener.press('Enter')],
    ];
    for (const [target, act] of ways) {
      // Otherwise the click scrolls the page after its position was read.
      await target.scrollIntoViewIfNeeded();
      const top = await topOf(caption);
      await act();
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
      expect(await topOf(caption), 'the page has not moved').toBe(top);
    }
    await expect(page.locator('button button, button a, a button')).toHaveCount(0);
  });
}

for (const name of ['the gallery as a list', 'the timeline at home'] as const) {
  const { path, within } = openers[name];
  test(`in ${name} a caption can be selected, and a closed memory leads back to its neighbor there`, async ({
    page,
  }) => {
    await page.goto(path);
    const caption = within(page).getByText(CAPTION, { exact: true });
    await caption.scrollIntoViewIfNeeded();
    const box = await textBox(caption);
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('the lak');
    await expect(page.getByRole('dialog')).toBeHidden();

    await within(page)
      .getByRole('button', { name: openerOf('Sofa') })
      .click();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('dialog', { name: CAPTION })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(within(page).getByRole('button', { name: openerOf(CAPTION) })).toBeFocused();
  });
}

test('keys pressed while the dialog on home is loading reach it', async ({ page }) => {
  const dialogCode = await holdScript(page, 'dialogs');
  const { path, within } = openers['the collection at home'];
  await page.goto(path);
  await within(page)
    .getByRole('button', { name: openerOf('Sofa') })
    .click();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog')).toBeHidden();
  // Other keys work on the page as long as it is shown.
  const love = within(page).getByRole('button', { name: 'Love Sofa' });
  await page.keyboard.press('Tab');
  await expect(love).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(love).toHaveAttribute('aria-pressed', 'true');
  await page.evaluate(() => document.body.append(document.createElement('input')));
  const field = page.locator('body > input');
  await field.focus();
  await page.keyboard.type('left');
  await expect(field).toHaveValue('left');
  dialogCode.release();
  await expect(page.getByRole('dialog', { name: CAPTION })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a click outside an open menu closes the menu and opens no memory', async ({ page }) => {
  await page.goto('/gallery?view=list');
  await cardMenu(page, CAPTION).click();
  await expect(page.getByRole('menuitem', { name: 'Share' })).toBeVisible();
  const box = (await page.getByText(CAPTION, { exact: true }).boundingBox())!;
  await page.mouse.click(box.x + 4, box.y + 4);
  await expect(page.getByRole('menuitem', { name: 'Share' })).toBeHidden();
  await expect(page.getByRole('dialog')).toBeHidden();
});

function openerOf(caption: string): RegExp {
  return new RegExp(`^(Open|View) ${caption}$`);
}

async function topOf(element: Locator): Promise<number> {
  return element.evaluate((element) => Math.round(element.getBoundingClientRect().top));
}

/** Measures the text, not its line. */
async function textBox(element: Locator) {
  return element.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x, y, width, height };
  });
}
