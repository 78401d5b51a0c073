import type { Tab } from './browser.ts';
import { measureScroll } from './measure-scroll.ts';

const MIB = 1024 * 1024;
const PATHS = [
  ['Gallery', '[role=list]'],
  ['Timeline', '[data-memory-list]'],
] as const;

export type MemoryResult = { minutes: number; beforeMib: number; afterMib: number };

/** The JavaScript heap after garbage collection, before and after minutes of scrolling through gallery and timeline. */
export async function measureMemory(tab: Tab, minutes: number): Promise<MemoryResult> {
  const { page } = tab;
  await page.goto('/gallery');
  await page.waitForLoadState('networkidle');
  const beforeMib = await heapMib(tab);
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    for (const [link, scrolled] of PATHS) {
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.getByRole('navigation').getByRole('link', { name: link }).click();
      await page.locator(scrolled).first().waitFor();
      await measureScroll(tab, scrolled);
    }
  }
  return { minutes, beforeMib, afterMib: await heapMib(tab) };
}

async function heapMib({ session }: Tab): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / MIB;
}
