import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';

const VERSION = '12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export type LighthouseScores = Record<(typeof CATEGORIES)[number], number>;

/** Scores a page as on a phone. Run by npx: as a dependency it would add 185 MB to every installation. */
export async function measureLighthouse(url: string, cookie: string | null): Promise<LighthouseScores> {
  const run = promisify(execFile)(
    'npx',
    [
      '--yes',
      `lighthouse@${VERSION}`,
      url,
      '--quiet',
      '--output=json',
      `--only-categories=${CATEGORIES.join(',')}`,
      '--chrome-flags=--headless --no-sandbox',
      ...(cookie === null ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
    ],
    {
      env: { ...process.env, CHROME_PATH: process.env['CHROMIUM_PATH'] || chromium.executablePath() },
      maxBuffer: 100 * 1024 * 1024,
    },
  );
  const { stdout } = await run.catch((cause: unknown) => {
    throw new Error('Lighthouse failed. npx downloads it: does the package registry answer?', { cause });
  });
  const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number | null }> };
  const scores = CATEGORIES.map((name) => [name, categories[name]?.score ?? 0] as const);
  return Object.fromEntries(scores) as LighthouseScores;
}
