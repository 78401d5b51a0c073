import { expect, type Page } from '@playwright/test';

/** Waits for the newest email with this subject and opens it. @returns a function that finds its link with a path */
export async function openEmail(
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
  // The frame is sandboxed: tests cannot run scripts in it either.
  const letter = (await outbox.getByTitle('The email').getAttribute('srcdoc')) ?? '';
  return (path) => new RegExp(`href="([^"]+/${path}[/#][^"]+)"`).exec(letter)?.[1] ?? '';
}
