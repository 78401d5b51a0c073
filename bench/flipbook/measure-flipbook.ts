import { chromium, type CDPSession, type Page } from '@playwright/test';
import { countLiveResources, type LiveResources } from '../../e2e/leaks.ts';
import type { Stage } from '../stage/start-stage.ts';

const MEMORIES = 500;
const ROUNDS = 10;

/** What a book of five hundred costs the browser. */
export type FlipbookResult = {
  /** Script, from the click to the first page: of each round. */
  scriptMs: number[];
  /** Pages that have contents, wherever one is. */
  contents: number;
  /** Before the first book, and after the last. */
  before: LiveResources;
  after: LiveResources;
};

/** Ten books of the same memories, opened from the gallery, leafed through and closed in the middle of a turn. */
export async function measureFlipbook({ app, facts }: Pick<Stage, 'app' | 'facts'>): Promise<FlipbookResult> {
  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(executablePath && { executablePath }),
  });
  try {
    const context = await browser.newContext({ baseURL: app, viewport: { width: 1280, height: 800 } });
    const [name = '', value = ''] = facts.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: app }]);
    const page = await context.newPage();
    // tsx marks functions with a helper of its own, which the page doesn't have.
    await page.addInitScript('globalThis.__name = (each) => each');
    await page.addInitScript(countLiveResources);
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');

    await page.goto('/gallery');
    // The gallery as it is after a first visit to the picker and the book.
    await openAndClose(page, session);
    const before = await page.evaluate(() => window.getLiveResources());
    const rounds: { scriptMs: number; contents: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await openAndClose(page, session));
    const after = await page.evaluate(() => window.getLiveResources());
    return {
      scriptMs: rounds.map(({ scriptMs }) => scriptMs),
      contents: Math.max(...rounds.map(({ contents }) => contents)),
      before,
      after,
    };
  } finally {
    await browser.close();
  }
}

async function openAndClose(page: Page, session: CDPSession) {
  await page.getByRole('button', { name: 'Create Flipbook' }).click();
  await choose(page);
  const create = page.getByRole('button', { name: `Create Flipbook with ${MEMORIES} memories` });
  const start = await scriptMs(session);
  await create.click();
  const book = page.getByRole('group', { name: 'Memory Flipbook' });
  await book.getByText(`${MEMORIES} Beautiful Memories`).waitFor();
  const opened = (await scriptMs(session)) - start;
  await page.getByRole('slider', { name: 'Page' }).fill(String(MEMORIES));
  await book.getByText(`Memory ${MEMORIES / 2} of ${MEMORIES}`).waitFor();
  const contents = await book.locator('.book-page:not(:empty)').count();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Memories' }).getByRole('listitem').first().waitFor();
  return { scriptMs: opened, contents };
}

/** The first, and by the keyboard all to the five-hundredth. */
async function choose(page: Page): Promise<void> {
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
