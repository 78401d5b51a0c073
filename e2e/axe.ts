import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

type ColorScheme = 'light' | 'dark';

/** Checks both themes. Leaves the page in the light one. */
export async function expectNoViolations(page: Page): Promise<void> {
  await expectNoViolationsIn(page, 'dark');
  await expectNoViolationsIn(page, 'light');
}

/** Leaves the page in this theme. */
async function expectNoViolationsIn(page: Page, colorScheme: ColorScheme): Promise<void> {
  await emulateColorScheme(page, colorScheme);
  // The theme only changes colors.
  await expectNoneFound(page, colorScheme === 'dark' ? ['color-contrast'] : undefined);
}

/** Waits for the end of transitions, which change colors. */
async function emulateColorScheme(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The app sets color-scheme; the server's pages leave it to the browser.
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

/** @param rules default: all */
async function expectNoneFound(page: Page, rules?: string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // Reporting passed rules would take most of the time.
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const violations = await page.evaluate(async (options) => {
    const { violations } = await axe.run(document, options);
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  }, options);
  expect(violations).toEqual([]);
}
