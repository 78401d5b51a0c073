import type { Page } from '@playwright/test';

/** Counts the confetti canvases added from now on; each is removed after its animation. */
export async function watchConfetti(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = window as { confetti?: number };
    seen.confetti = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof HTMLCanvasElement) seen.confetti!++;
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as { confetti?: number }).confetti ?? 0);
}
