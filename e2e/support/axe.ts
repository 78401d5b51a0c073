import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type axeCore from 'axe-core';

/** The package's `source` is twice as long, and goes into each page that is checked. */
const source = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');
/** In the page. */
declare const axe: typeof axeCore;

type ColorScheme = 'light' | 'dark';

/** Checks both themes. Leaves the page in the light one. */
export async function expectNoViolations(page: Page): Promise<void> {
  await emulateColorScheme(page, 'dark');
  // The theme only changes colors.
  await expectNoneFound(page, ['color-contrast']);
  await emulateColorScheme(page, 'light');
  await expectNoneFound(page);
}

async function emulateColorScheme(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The app sets color-scheme; the server's pages leave it to the browser.
  const other = colorScheme === 'dark' ? 'light' : 'dark';
  await page.waitForFunction(
    (other) => getComputedStyle(document.documentElement).colorScheme !== other,
    other,
  );
  await untilTransitionsEnd(page);
}

/** They change colors. */
async function untilTransitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** @param rules default: all */
async function expectNoneFound(page: Page, rules?: string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const options: axeCore.RunOptions = {
    // Reporting passed rules would take most of the time.
    resultTypes: ['violations'],
    // By default axe also reads all style sheets, for an experimental rule that does not run.
    preload: { assets: ['media'] },
    ...(rules && { runOnly: rules }),
  };
  const violations = await page.evaluate(async (options) => {
    const { violations } = await axe.run(document, options);
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  }, options);
  expect(violations).toEqual([]);
}
