import type { Page } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { desktop, phone } from './fixtures.ts';

/** Only the width decides about the layout, so one page is checked at both. Leaves it at the phone's. */
export async function expectNoViolationsAtBothWidths(page: Page): Promise<void> {
  await page.setViewportSize(desktop.viewport);
  await expectNoViolations(page);
  await page.setViewportSize(phone.viewport);
  await expectNoViolations(page);
}
