import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

/** With the key, as the link has it that the start prints. */
export async function openDevOutbox(
  outbox: Page,
  dataDir = process.env['E2E_DATA_DIR'] ?? '',
): Promise<void> {
  const key = await readFile(join(dataDir, 'outbox', 'key'), 'utf8');
  await outbox.goto(`/dev/outbox?key=${key.trim()}`);
  await expect(outbox).toHaveURL('/dev/outbox');
}

/** Waits for the newest email with this subject and opens it. @returns a function that finds its link with a path */
export async function openEmail(
  outbox: Page,
  email: string,
  subject: string,
  dataDir?: string,
): Promise<(path: string) => string> {
  const mail = outbox
    .getByRole('listitem')
    .filter({ has: outbox.getByText(email) })
    .getByRole('link', { name: subject });
  await expect(async () => {
    await openDevOutbox(outbox, dataDir);
    await expect(mail.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await mail.first().click();
  await expect(outbox.getByTitle('The email')).toBeVisible();
  // The frame is sandboxed: tests cannot run scripts in it either.
  const letter = (await outbox.getByTitle('The email').getAttribute('srcdoc')) ?? '';
  return (path) => new RegExp(`href="([^"]+/${path}[/#][^"]+)"`).exec(letter)?.[1] ?? '';
}
