import type { Page } from '@playwright/test';
import type { Import } from '#shared/transfers/import';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { idOf } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { toast } from '../../support/accounts/users.ts';
import { expectNoViolationsAtBothWidths } from '../both-widths.ts';
import { expect, phone, test } from '../fixtures.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Import an album' });
const fileName = 'mems-export-2026-05-01.zip';

function addImport({ state }: FakeServer, details: Partial<Import>): Import {
  const started: Import = {
    id: idOf(86),
    fileName,
    byteSize: 20_000_000,
    receivedBytes: 20_000_000,
    status: 'working',
    message: null,
    total: 0,
    done: 0,
    added: 0,
    unreadable: 0,
    missing: 0,
    ...details,
  };
  state.imports = [started];
  return started;
}

test.describe('at both widths', () => {
  test.use(phone);
  test('an import shows its upload, its progress and its result', async ({ page, server }) => {
    const bar = (name: string | RegExp) => section(page).getByRole('progressbar', { name });
    const choose = section(page).getByRole('button', { name: 'Choose a zip' });
    await page.goto('/account');
    await expect(choose).toBeVisible();
    await expectNoViolationsAtBothWidths(page);

    // The upload hangs until the page is reloaded.
    await page.route('**/chunks/*', () => undefined);
    const zip = { name: fileName, mimeType: 'application/zip', buffer: Buffer.alloc(1000) };
    await section(page).locator('input[type="file"]').setInputFiles(zip);
    await expect(bar(/^Uploading mems-export/)).toBeVisible();
    await expectNoViolationsAtBothWidths(page);
    Object.assign(server.state.imports[0]!, { receivedBytes: 8_388_608, byteSize: 20_000_000 });
    await page.reload();
    await page.unroute('**/chunks/*');
    await expect(section(page).getByText('it goes on from 41 %')).toBeVisible();
    await expectNoViolationsAtBothWidths(page);
    await section(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(choose).toBeVisible();

    const working = addImport(server, { total: 1240, done: 310 });
    await page.reload();
    await expect(bar('Adding your photos')).toHaveAttribute('aria-valuenow', '25');
    await expect(section(page).getByText('310 of 1,240')).toBeVisible();
    await expectNoViolationsAtBothWidths(page);
    working.total = 0;
    await expect(bar('Checking the photos')).toBeVisible();
    await expectNoViolationsAtBothWidths(page);
    Object.assign(working, { status: 'completed', total: 620, done: 620, added: 618, unreadable: 2 });
    working.missing = 311;
    await expect(section(page).getByText('311 photos of this export are not in this zip.')).toBeVisible();
    await expectNoViolationsAtBothWidths(page);
  });
});

test('an import says that a proxy takes less than its pieces', async ({ page }) => {
  const proxy = { status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' };
  await page.route('**/chunks/*', (route) => route.fulfill(proxy), { times: 1 });
  await page.goto('/account');
  const zip = { name: fileName, mimeType: 'application/zip', buffer: Buffer.alloc(1000) };
  await section(page).locator('input[type="file"]').setInputFiles(zip);
  await expect(toast(page)).toContainText('This server takes less than 8 MB at a time.');
});
