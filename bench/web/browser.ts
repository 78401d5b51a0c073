import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from '@playwright/test';

const VIEWPORT = { width: 1280, height: 800 };

/** A tab with an empty cache. */
export type Tab = { context: BrowserContext; page: Page; session: CDPSession };

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'];
  return chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
}

export async function openTab(
  browser: Browser,
  app: string,
  { cookie, cpu }: { cookie: string | null; cpu: number },
): Promise<Tab> {
  const context = await browser.newContext({ baseURL: app, viewport: VIEWPORT });
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: app }]);
  }
  const page = await context.newPage();
  // tsx wraps functions in a helper that the page lacks.
  await page.addInitScript('globalThis.__name = (each) => each');
  const session = await context.newCDPSession(page);
  // CPU time, so that other processes on the machine do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  if (cpu > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  return { context, page, session };
}

export type CpuTimes = { script: number; layout: number; task: number };

/** CPU milliseconds of the main thread. */
export async function readCpuTimes(session: CDPSession): Promise<CpuTimes> {
  const { metrics } = await session.send('Performance.getMetrics');
  const ms = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
  return {
    script: ms('ScriptDuration'),
    layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
    task: ms('TaskDuration'),
  };
}
