import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** Axe finds nothing on the page in either scheme. Leaves it in the light one. */
export async function expectNoViolations(page: Page): Promise<void> {
  await showScheme(page, 'dark');
  // All that a scheme changes.
  await expectNoneFound(page, ['color-contrast']);
  await showScheme(page, 'light');
  await expectNoneFound(page);
}

/** Until what moves has come to rest: colors are seen there. */
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

/** @param rules all of them when none is named */
async function expectNoneFound(page: Page, rules?: string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // What passes is not described: most of the time went there.
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const violations = await page.evaluate(async (options) => {
    const { violations } = await axe.run(document, options);
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  }, options);
  expect(violations).toEqual([]);
}
