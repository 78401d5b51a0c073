import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Axe finds nothing on the page in either scheme. Leaves it in the light one. */
export async function expectNoViolations(page: Page): Promise<void> {
  await showScheme(page, 'dark');
  // All that a scheme changes.
  await expectNoneFound(new AxeBuilder({ page }).withRules(['color-contrast']));
  await showScheme(page, 'light');
  await expectNoneFound(new AxeBuilder({ page }));
}

/** Until what moves has come to rest: colours are seen there. */
async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The app names the one that it shows; pages of the server leave it to the browser.
  const other = colorScheme === 'dark' ? 'light' : 'dark';
  await page.waitForFunction(
    (other) => getComputedStyle(document.documentElement).colorScheme !== other,
    other,
  );
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

async function expectNoneFound(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html) }))).toEqual([]);
}
