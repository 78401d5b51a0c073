import type { CDPSession } from '@playwright/test';
import type { Tab } from './browser.ts';
import type { WebPage } from './web-pages.ts';

const KIB = 1024;
/** Tiles that are in view after the first load. */
const FIRST_TILES = 3;

export type LoadResult = {
  requests: number;
  requestsBeforeTiles: number;
  totalKib: number;
  scriptKib: number;
  fontKib: number;
  lcpMs: number;
  layoutShift: number;
  longTasks: number;
  blockingMs: number;
};

type Vitals = {
  lcpMs: number;
  layoutShift: number;
  longTasks: number[];
};

declare global {
  interface Window {
    vitals: Vitals;
  }
}

/** Loads a page with an empty cache until the network is idle. */
export async function measureLoad({ page, session }: Tab, { path, isPublic }: WebPage): Promise<LoadResult> {
  const watched = await watchResponses(session);
  await page.addInitScript(watchVitals);
  await page.goto(path, { waitUntil: 'commit' });
  if (!isPublic) await page.waitForFunction(countLoadedTiles, FIRST_TILES);
  await page.waitForLoadState('networkidle');
  // On a busy machine the network may be idle before the first paint.
  await page.waitForFunction(() => window.vitals.lcpMs > 0);
  const { lcpMs, layoutShift, longTasks } = await page.evaluate(() => window.vitals);
  const responses = [...watched.values()];
  const tiles = responses.filter(({ url }) => url.includes('/objects/'));
  const firstTileAt = tiles[0]?.startedAt ?? Infinity;
  const kibOf = (type?: string) =>
    responses.filter((each) => !type || each.type === type).reduce((sum, { bytes }) => sum + bytes, 0) / KIB;
  return {
    requests: responses.length,
    requestsBeforeTiles: responses.filter(({ startedAt }) => startedAt < firstTileAt).length,
    totalKib: kibOf(),
    scriptKib: kibOf('Script'),
    fontKib: kibOf('Font'),
    lcpMs,
    layoutShift,
    longTasks: longTasks.length,
    blockingMs: longTasks.reduce((sum, ms) => sum + ms - 50, 0),
  };
}

type LoadedResponse = { url: string; type: string; bytes: number; startedAt: number };

/** By request id. Bytes are compressed as sent, without headers. */
async function watchResponses(session: CDPSession): Promise<ReadonlyMap<string, LoadedResponse>> {
  const responses = new Map<string, LoadedResponse>();
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, type }) => {
    if (!request.url.startsWith('data:'))
      responses.set(requestId, { url: request.url, type: type ?? '', bytes: 0, startedAt: timestamp });
  });
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    const entry = responses.get(requestId);
    if (entry) entry.type = /javascript/.test(response.mimeType) ? 'Script' : type;
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const entry = responses.get(requestId);
    if (entry) entry.bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return responses;
}

/** In the page, before its scripts. */
function watchVitals(): void {
  window.vitals = { lcpMs: 0, layoutShift: 0, longTasks: [] };
  const watch = (type: string, add: (entry: PerformanceEntry & { value?: number }) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => (window.vitals.lcpMs = startTime));
  watch('layout-shift', ({ value = 0 }) => (window.vitals.layoutShift += value));
  watch('longtask', ({ duration }) => window.vitals.longTasks.push(duration));
}

function countLoadedTiles(wanted: number): boolean {
  const tiles = [...document.querySelectorAll<HTMLImageElement>('img[src*="/objects/"]')];
  return tiles.filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length >= wanted;
}
