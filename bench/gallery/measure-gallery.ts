import { chromium, type Browser } from '@playwright/test';
import { median } from '../measure/statistics.ts';
import type { Stage } from '../stage/start-stage.ts';

/** How many pictures a person looks at first. */
const PICTURES = 12;
const WARM_UP_ROUNDS = 2;

export type GalleryResult = {
  /** Milliseconds from the navigation to the first pictures. */
  many: number;
  few: number;
  /** The median of the rounds' own ratios, with the least and the largest. */
  ratio: { median: number; least: number; most: number };
};

/** The gallery of 10,000 memories beside one of 100, in turns, each time in a browser that has nothing in its cache. */
export async function measureGallery(
  { app, facts }: Stage,
  { rounds, browserPath }: { rounds: number; browserPath: string },
): Promise<GalleryResult> {
  const browser = await chromium.launch(browserPath ? { executablePath: browserPath } : {});
  try {
    const many = () => timeToPictures(browser, app, facts.cookie);
    const few = () => timeToPictures(browser, app, facts.fewCookie);
    // The first ones also make the pictures' widths.
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
      ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
    };
  } finally {
    await browser.close();
  }
}

async function timeToPictures(browser: Browser, app: string, cookie: string): Promise<number> {
  // So tall that all of the first pictures are in sight.
  const context = await browser.newContext({ viewport: { width: 1280, height: 2000 } });
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: app }]);
    const page = await context.newPage();
    await page.goto(`${app}/gallery`, { waitUntil: 'commit' });
    const isShown = await page.waitForFunction((pictures) => {
      const tiles = [...document.querySelectorAll<HTMLImageElement>('img[src*="/objects/"]')].slice(
        0,
        pictures,
      );
      const areThere =
        tiles.length === pictures && tiles.every((each) => each.complete && each.naturalWidth > 0);
      return areThere && performance.now();
    }, PICTURES);
    return Number(await isShown.jsonValue());
  } finally {
    await context.close();
  }
}
