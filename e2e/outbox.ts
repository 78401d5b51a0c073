import { expect, type Page } from '@playwright/test';

/** Opens the newest mail of this kind to this address, once it is there. @returns the address of its link below a path */
export async function openMail(
  outbox: Page,
  email: string,
  subject: string,
): Promise<(path: string) => string> {
  const mail = outbox.getByRole('listitem').filter({ hasText: email }).getByRole('link', { name: subject });
  await expect(async () => {
    await outbox.goto('/dev/outbox');
    await expect(mail.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await mail.first().click();
  await expect(outbox.getByTitle('The email')).toBeVisible();
  // No script runs in the frame, not even a test's.
  const letter = (await outbox.getByTitle('The email').getAttribute('srcdoc')) ?? '';
  return (path) => new RegExp(`href="([^"]+/${path}[/#][^"]+)"`).exec(letter)?.[1] ?? '';
}
