import type { Page } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { desktop, phone } from './fixtures.ts';

/**
 * The width decides about the layout, so one page is checked at both. Touch is decided by `(hover: none)`, which stays as the test has
 * it. Leaves the page at the phone's width.
 */
export async function expectNoViolationsAtBothWidths(page: Page): Promise<void> {
  await page.setViewportSize(desktop.viewport);
  await expectNoViolations(page);
  await page.setViewportSize(phone.viewport);
  await expectNoViolations(page);
}
