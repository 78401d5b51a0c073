import { readCpuTimes, type Tab } from './browser.ts';

const TIMES = 5;

/** Script milliseconds from a click on a photo of the gallery until its dialog is open, once per opening. */
export async function measureDialog({ page, session }: Tab): Promise<number[]> {
  await page.goto('/gallery');
  const print = page
    .getByRole('region', { name: 'Memories' })
    .getByRole('listitem')
    .getByRole('button')
    .first();
  const dialog = page.getByRole('dialog');
  const times: number[] = [];
  // The first opening also loads the lightbox.
  for (let time = 0; time <= TIMES; time++) {
    await print.waitFor();
    await page.waitForLoadState('networkidle');
    const { script } = await readCpuTimes(session);
    await print.click();
    await dialog.waitFor();
    times.push((await readCpuTimes(session)).script - script);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  return times.slice(1);
}
