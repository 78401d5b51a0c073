import { chromium, type CDPSession, type Page } from '@playwright/test';
import { countLiveResources, type LiveResources } from '../../e2e/support/leaks.ts';
import { markdownTable } from '../markdown-table.ts';
import type { Environment } from '../environment/start-environment.ts';

const MEMORIES = 500;
const ROUNDS = 10;

/** The browser's cost of a flipbook with 500 memories. */
export type FlipbookResult = {
  /** Script time from the click to the first page, per round. */
  scriptMs: number[];
  /** The largest number of pages with mounted content. */
  mountedPages: number;
  /** Before the first flipbook and after the last. */
  before: LiveResources;
  after: LiveResources;
};

/** Opens ten flipbooks from the gallery, jumps to the middle and closes each during a page turn. */
export async function measureFlipbook({
  app,
  data,
}: Pick<Environment, 'app' | 'data'>): Promise<FlipbookResult> {
  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(executablePath && { executablePath }),
  });
  try {
    const context = await browser.newContext({ baseURL: app, viewport: { width: 1280, height: 800 } });
    const [name = '', value = ''] = data.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: app }]);
    const page = await context.newPage();
    // tsx wraps functions in a helper that the page lacks.
    await page.addInitScript('globalThis.__name = (each) => each');
    await page.addInitScript(countLiveResources);
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');

    await page.goto('/gallery');
    // Warm up: the gallery after a first visit to the picker and the flipbook.
    await openAndClose(page, session);
    const before = await page.evaluate(() => window.getLiveResources());
    const rounds: { scriptMs: number; mountedPages: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await openAndClose(page, session));
    const after = await page.evaluate(() => window.getLiveResources());
    return {
      scriptMs: rounds.map(({ scriptMs }) => scriptMs),
      mountedPages: Math.max(...rounds.map(({ mountedPages }) => mountedPages)),
      before,
      after,
    };
  } finally {
    await browser.close();
  }
}

async function openAndClose(page: Page, session: CDPSession) {
  await page.getByRole('button', { name: 'Create Flipbook' }).click();
  await selectMemories(page);
  const create = page.getByRole('button', { name: `Create Flipbook with ${MEMORIES} memories` });
  const start = await scriptMs(session);
  await create.click();
  const book = page.getByRole('group', { name: 'Memory Flipbook' });
  await book.getByText(`${MEMORIES} Beautiful Memories`).waitFor();
  const opened = (await scriptMs(session)) - start;
  await page.getByRole('slider', { name: 'Page' }).fill(String(MEMORIES));
  await book.getByText(`Memory ${MEMORIES / 2} of ${MEMORIES}`).waitFor();
  const mountedPages = await book.locator('.book-page:not(:empty)').count();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Memories' }).getByRole('listitem').first().waitFor();
  return { scriptMs: opened, mountedPages };
}

/** Selects the first 500 memories by keyboard. */
async function selectMemories(page: Page): Promise<void> {
  const tile = (place: number) => page.locator(`[role=option][aria-posinset="${place}"]`);
  await tile(1).click();
  for (;;) {
    const place = Number(await page.locator(':focus').getAttribute('aria-posinset'));
    if (place === MEMORIES) break;
    const columns = await page.locator('[role=option]').first().locator('xpath=..').locator('> *').count();
    await page.keyboard.press(MEMORIES - place >= columns ? 'ArrowDown' : 'ArrowRight');
  }
  await page.keyboard.press('Shift+Enter');
}

async function scriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000;
}

const MAX_SCRIPT_MS = 300;
const MAX_MOUNTED_PAGES = 60;

/** In Markdown. */
export function flipbookTable({ scriptMs, mountedPages, before, after }: FlipbookResult): string {
  const sorted = scriptMs.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const verdict = (isMet: boolean) => (isMet ? 'yes' : '**no**');
  return markdownTable(
    ['a flipbook of 500 memories', 'measured', 'target'],
    [
      [
        'script from the click to its first page, ms',
        `**${median.toFixed(0)}** (${sorted[0]?.toFixed(0)} – ${sorted.at(-1)?.toFixed(0)})`,
        `${MAX_SCRIPT_MS}: ${verdict(median <= MAX_SCRIPT_MS)}`,
      ],
      [
        'mounted pages in the middle',
        String(mountedPages),
        `${MAX_MOUNTED_PAGES}: ${verdict(mountedPages <= MAX_MOUNTED_PAGES)}`,
      ],
      [
        `listeners after ${scriptMs.length} flipbooks, and before`,
        `${countOf(after)} to ${countOf(before)}`,
        `no more: ${verdict(countOf(after) <= countOf(before))}`,
      ],
      [
        'animation callbacks at rest',
        String(after.frames),
        `none: ${verdict(after.frames <= before.frames)}`,
      ],
    ],
  );
}

function countOf({ listeners }: LiveResources): number {
  return Object.values(listeners).reduce((sum, count) => sum + count, 0);
}
