import type { Page } from '@playwright/test';

type Fields = Record<string, string>;

/** Records the multipart forms that a person sends, of which Playwright cannot read files. Call before opening the page. */
export async function recordForms(page: Page): Promise<() => Promise<Fields[]>> {
  await page.addInitScript(() => {
    const sentForms: Fields[] = [];
    Object.assign(window, { sentForms });
    const send = window.fetch.bind(window);
    window.fetch = (input, init) => {
      if (init?.body instanceof FormData && input !== '/api/pets/picture-proposal') {
        const entries = [...init.body].map(([name, value]) => [
          name,
          value instanceof File ? `file ${value.name}` : value,
        ]);
        sentForms.push(Object.fromEntries(entries) as Fields);
      }
      return send(input, init);
    };
  });
  return () => page.evaluate(() => (window as unknown as { sentForms: Fields[] }).sentForms);
}
