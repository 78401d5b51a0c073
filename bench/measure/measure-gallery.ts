import { chromium, type Browser } from '@playwright/test';
import { formatRatio, markdownTable, type Ratio } from '../markdown-table.ts';
import { median } from './statistics.ts';
import type { Environment } from '../environment/start-environment.ts';

const PHOTOS = 12;
const WARM_UP_ROUNDS = 2;

export type GalleryResult = {
  /** Milliseconds from navigation until the first photos are visible, with 10,000 memories and with 100. */
  many: number;
  few: number;
  ratio: Ratio;
};

/** Opens the gallery of 10,000 memories and of 100 in turns, each time with an empty browser cache. */
export async function measureGallery({ app, data }: Environment, rounds: number): Promise<GalleryResult> {
  const browserPath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch(browserPath ? { executablePath: browserPath } : {});
  try {
    const many = () => timeToPhotos(browser, app, data.cookie);
    const few = () => timeToPhotos(browser, app, data.fewCookie);
    // The first requests also create the image variants.
    for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const each of [many, few]) await each();
    const times: { many: number; few: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0 ? { many: await many() } : { few: await few() };
      times.push({ many: first.many ?? (await many()), few: first.few ?? (await few()) });
    }
    const ratios = times.map((each) => each.many / each.few);
    return {
      many: median(times.map((each) => each.many)),
      few: median(times.map((each) => each.few)),
      ratio: { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) },
    };
  } finally {
    await browser.close();
  }
}

async function timeToPhotos(browser: Browser, app: string, cookie: string): Promise<number> {
  // Tall enough to show all of the first photos.
  const context = await browser.newContext({ viewport: { width: 1280, height: 2000 } });
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: app }]);
    const page = await context.newPage();
    await page.goto(`${app}/gallery`, { waitUntil: 'commit' });
    const shownAt = await page.waitForFunction((count) => {
      const tiles = [...document.querySelectorAll<HTMLImageElement>('img[src*="/objects/"]')].slice(0, count);
      const areLoaded =
        tiles.length === count && tiles.every((each) => each.complete && each.naturalWidth > 0);
      return areLoaded && performance.now();
    }, PHOTOS);
    return Number(await shownAt.jsonValue());
  } finally {
    await context.close();
  }
}

export function galleryTable({ many, few, ratio }: GalleryResult): string {
  const header = ['gallery, first 12 photos', '10,000 memories', '100 memories', '10,000 / 100'];
  const row = ['from the navigation', `${Math.round(many)} ms`, `${Math.round(few)} ms`, formatRatio(ratio)];
  return markdownTable(header, [row]);
}
